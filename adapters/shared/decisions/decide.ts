import type { DecisionRequest, DecisionResponse } from "../../../src/engine/api/decisions.ts";
import { readQuestions } from "../../../src/engine/decisions/question.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../src/engine/ports/provider.ts";
import { readDecisions } from "./answers.ts";
import { toBody } from "./requests.ts";
import type { DecisionVendor } from "./vendor.ts";

/** Fields of the two forms, and those that say how chat models are asked. */
const own: ReadonlySet<string> = new Set(
  (
    "model fallbacks questions state input images assets stream method min_mass labels permutations prior examples " +
    "threshold calibration votes min_votes escalate n tools tool_choice parallel_tool_calls response_format temperature top_p top_k " +
    "stop logit_bias frequency_penalty presence_penalty logprobs top_logprobs max_completion_tokens max_tokens"
  ).split(" "),
);

/** Adds a vendor's interface for decisions to a provider; the models that decide are asked by it. */
export function withDecisions(provider: Provider, vendor: DecisionVendor): Provider {
  const { models } = vendor;
  return {
    ...provider,
    decide: (request, call) => decideWith(vendor, request, call),
    ...(models ? { decides: (model: string) => models.test(model) } : {}),
  };
}

/** Asks all questions in one call of the vendor's interface. Fields of the caller that neither form knows go along untouched. */
async function decideWith(
  vendor: DecisionVendor,
  request: DecisionRequest,
  call: ProviderCall,
): Promise<DecisionResponse> {
  assertSupported(vendor, request, call.model);
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !own.has(name)));
  const { examples, method: _way, labels, permutations, prior } = request;
  for (const [name, value] of Object.entries({ examples, labels, permutations, prior }))
    if (value !== undefined)
      call.warn(`\`${name}\` is not supported by ${vendor.name} for models that decide natively`);
  const path = vendor.path(call.model);
  call.askedAt?.(path);
  const body = toBody(vendor, { request, model: call.model, rest });
  const headers = vendor.pictureHeaders && hasPictures(request) ? vendor.pictureHeaders : undefined;
  return readDecisions(await vendor.http.post(path, body, headers ? { ...call, headers } : call), vendor, call);
}

function hasPictures(request: DecisionRequest): boolean {
  const { situation, questions } = readQuestions(request);
  if (questions.some(({ kind }) => kind === "box")) return true;
  if (situation.kind === "value") return situation.pictures.length > 0;
  return JSON.stringify(situation.messages).includes('"input_image"');
}

/** Throws before any call for what the vendor's models do not answer. */
function assertSupported(vendor: DecisionVendor, request: DecisionRequest, model: string): void {
  const { name: provider, fewestOptions = 1, boxes } = vendor;
  for (const { kind, name, options } of readQuestions(request).questions) {
    const refuse = (problem: string) => {
      const message = `\`questions\`: ${provider}/${model} ${problem} (\`${name}\`).`;
      throw new GatewayError("unsupported_operation", message, { param: "questions", provider });
    };
    if (kind === "box" && !boxes?.test(model)) refuse("answers no questions of the kind `box`");
    if (kind === "choice" && options.length < fewestOptions) refuse(`takes at least ${fewestOptions} options`);
  }
}
