import type { DecisionRequest } from "../../api/decisions.ts";
import { fitsToken } from "../../decisions/by-token.ts";
import { boundToolForm } from "../../decisions/cost-bound.ts";
import type { TypedQuestion } from "../../decisions/question.ts";
import { GatewayError, isGatewayError } from "../../errors.ts";
import type { KnownSizes } from "../../metering/usage-bound.ts";
import { isContentRefusal, isContextTooLong } from "../../routing/verdict.ts";
import { topUp } from "../accounting/top-up.ts";
import type { Attempt } from "../attempts/attempt.ts";

/** Thrown into a provider that announces, before it asks, that it will omit the log probabilities: the call would be useless. */
export const noLogprobs = new GatewayError("unsupported_operation", "The provider gives no log probabilities.");
/** The warning of a provider that omits them. */
export const leavesLogprobsOut = /^`(top_)?logprobs` is not supported/;

const formWords = /log_?prob|max_(completion_|output_)?tokens|output limit/i;

/** A model that does not support such a request answers 400 or 422; an error on content or length holds for every form. */
export function isRefusalOfForm(thrown: unknown): thrown is GatewayError {
  if (thrown === noLogprobs) return true;
  if (!isGatewayError(thrown) || isContentRefusal(thrown) || isContextTooLong(thrown)) return false;
  const status = thrown.upstream?.status;
  return status === 400 || status === 422;
}

/** Whether a refusal of a form means that the model has no log probabilities. */
export function refusesLogprobs(thrown: GatewayError): boolean {
  return thrown === noLogprobs || formWords.test(thrown.message);
}

/** Reserves what asking a question by tool may cost, where only the form by one token was reserved for; throws where no limit has room. */
export async function reserveToolForm(
  { call, target }: Attempt,
  request: DecisionRequest,
  question: TypedQuestion,
): Promise<void> {
  if (!fitsToken(question)) return;
  const boundOf = (facts: KnownSizes | undefined) => boundToolForm(request, question.name, facts);
  await topUp(call, { target, name: question.name, boundOf });
}
