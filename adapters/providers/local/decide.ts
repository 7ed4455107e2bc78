import type { DecisionRequest, DecisionResponse, MapAnswer } from "../../../src/engine/api/decisions.ts";
import { readQuestions, type TypedQuestion } from "../../../src/engine/decisions/question.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { countTokens } from "./words.ts";

const honoured = new Set(["model", "fallbacks", "state", "input", "questions"]);

/**
 * What an echo can say of a question: nothing, so that all options are equally likely. The shape is that of every decision, which is
 * what trying it out offline is for; a warning says that no model was asked.
 */
export function decideNothing(request: DecisionRequest, { provider, call }: Translation): DecisionResponse {
  for (const [field, value] of Object.entries(request)) {
    if (!honoured.has(field) && value !== undefined) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  if (Object.values(request.questions).some((question) => question.kind === "box")) {
    const message = `\`questions\`: ${provider} answers no questions of the kind \`box\`.`;
    throw new GatewayError("unsupported_operation", message, { param: "questions", provider });
  }
  call.warn("no model was asked: to an echo all options are equally likely");
  const { situation, questions } = readQuestions(request);
  const tokens = countTokens(JSON.stringify([situation, questions]));
  return {
    id: call.id,
    model: call.model,
    answers: Object.fromEntries(questions.map((question) => [question.name, undecided(question)])),
    usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens, estimated: true },
  };
}

function undecided({ kind, options }: TypedQuestion): MapAnswer {
  const share = 1 / options.length;
  if (kind === "noul") return { kind, value: share };
  const probabilities = Object.fromEntries(options.map(({ key }) => [key, share]));
  const confidence = options.length === 1 ? 1 : 0;
  if (kind === "choice") return { kind, value: options[0]?.key ?? "", confidence, probabilities };
  const legend = Object.fromEntries(options.map(({ key, label }) => [key, String(label)]));
  return { kind: "score", value: (options.length - 1) / 2, confidence, probabilities, legend };
}
