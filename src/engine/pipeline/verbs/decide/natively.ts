import type { DecisionRequest } from "../../../api/decisions.ts";
import type { DecisionQuestions } from "../../../decisions/question.ts";
import { type BadAnswer, readAnswers } from "../../../decisions/reading.ts";
import { GatewayError } from "../../../errors.ts";
import type { Provider } from "../../../ports/provider.ts";
import { recordAnswer } from "../../accounting/sub-calls.ts";
import type { Attempt } from "../../attempts/attempt.ts";
import type { ReadDecision } from "./read-decision.ts";

/** The questions. */
export interface NativeDecision {
  readonly request: DecisionRequest;
  readonly questions: DecisionQuestions;
}

/** The answers of a decision provider, which may answer in either form. What it consumed is billed also when an answer is bad. */
export async function askNative(
  provider: Required<Provider>,
  { request, questions }: NativeDecision,
  attempt: Attempt,
): Promise<ReadDecision> {
  const reported = await provider.decide(request, attempt);
  const outcomes = readAnswers(questions, reported.answers);
  const { answers: _read, ...rest } = reported;
  if (!("problem" in outcomes)) return { ...rest, outcomes } as ReadDecision;
  recordAnswer(attempt, { request, usage: reported.usage });
  throw badAnswer(attempt, outcomes);
}

/** The error of an answer that is missing or out of range: the next candidate is asked. */
export function badAnswer({ target: { name, provider } }: Attempt, { question, problem }: BadAnswer): GatewayError {
  const message = `The answer of ${name} to the question \`${question}\` ${problem}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
