import type { DecisionRequest } from "../../../api/decisions.ts";
import { fitsToken } from "../../../decisions/by-token.ts";
import { boundToolForm } from "../../../decisions/cost-bound.ts";
import type { QuestionBody } from "../../../decisions/prompt.ts";
import type { TypedQuestion } from "../../../decisions/question.ts";
import { GatewayError, isGatewayError } from "../../../errors.ts";
import type { KnownSizes } from "../../../metering/usage-bound.ts";
import { isContentRefusal, isContextTooLong } from "../../../routing/verdict.ts";
import { topUp } from "../../accounting/top-up.ts";
import type { Attempt } from "../../attempts/attempt.ts";
import type { DeciderTraits } from "../../runtime/decisions/support.ts";

/** Thrown into a provider that announces, before it asks, that it will omit the log probabilities: the call would be useless. */
export const noLogprobs = new GatewayError("unsupported_operation", "The provider gives no log probabilities.");
/** The same for a provider that announces that it will omit the schema. */
export const noSchema = new GatewayError("unsupported_operation", "The provider takes no schema.");
/** The warning of a provider that omits it. */
export const leavesSchemaOut = /^`response_format/;
/** The warning of a provider that omits them. */
export const leavesLogprobsOut = /^`(top_)?logprobs` is not supported/;

const formWords = /log_?prob|max_(completion_|output_)?tokens|output limit/i;

/** A model that does not support such a request answers 400 or 422; an error on content or length holds for every form. */
export function isRefusalOfForm(thrown: unknown): thrown is GatewayError {
  if (thrown === noLogprobs || thrown === noSchema) return true;
  if (!isGatewayError(thrown) || isContentRefusal(thrown) || isContextTooLong(thrown)) return false;
  const status = thrown.upstream?.status;
  return status === 400 || status === 422;
}

/** Whether a refusal of a form means that the model has no log probabilities. */
export function refusesLogprobs(thrown: GatewayError): boolean {
  return thrown === noLogprobs || formWords.test(thrown.message);
}

/** Refusals of a template without a system message, or that takes a system message for a second one of the user. */
const systemWords =
  /system (?:role|message|prompt|instruction)s?\b.{0,40}(?:not|un)\s?-?(?:supported|allowed|enabled|available)|unsupported.{0,20}\bsystem\b|roles must alternate|developer instruction is not enabled/i;
/** Alternatives that every vendor of log probabilities lists. */
const fewestAlternatives = 5;

/** What a model lacks for a form, as its refusal says; `undefined` where it says nothing of that kind. */
export function traitsIn(thrown: unknown, { messages, top_logprobs: asked }: QuestionBody): DeciderTraits | undefined {
  if (!isRefusalOfForm(thrown)) return undefined;
  const { message } = thrown;
  if (messages[0]?.role === "system" && systemWords.test(message)) return { lacksSystemRole: true };
  const most = asked === undefined ? undefined : alternativesIn(message, asked);
  return most === undefined ? undefined : { alternatives: most };
}

/** The most alternatives that a refusal allows: `top_logprobs must be at most 5`, `between 0 and 8`. */
function alternativesIn(message: string, asked: number): number | undefined {
  if (!/log_?prob/i.test(message)) return undefined;
  const allowed = (message.match(/\b\d+\b/g) ?? []).map(Number).filter((count) => count > 0 && count < asked);
  if (allowed.length > 0) return Math.max(...allowed);
  const isTooMany = /\b(?:too (?:large|many|high|big)|exceed\w*|greater|more than|at most|maximum|range)\b/i.test(
    message,
  );
  return isTooMany && asked > fewestAlternatives ? fewestAlternatives : undefined;
}

/** Reserves what asking a question under a schema and by tool may cost, where only the form by one token was reserved for; throws where no limit has room. */
export async function reserveOtherForms(
  { call, target }: Attempt,
  request: DecisionRequest,
  question: TypedQuestion,
): Promise<void> {
  if (!fitsToken(question)) return;
  const boundOf = (facts: KnownSizes | undefined) => boundToolForm(request, question.name, facts);
  await topUp(call, { target, name: question.name, boundOf });
}
