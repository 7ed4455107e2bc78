import type { DecisionRequest, DecisionResponse } from "../../api/decisions.ts";
import { writeAnswers } from "../../decisions/answers.ts";
import type { DecisionQuestions } from "../../decisions/question.ts";
import { type BadAnswer, readAnswers } from "../../decisions/reading.ts";
import { GatewayError } from "../../errors.ts";
import type { Provider } from "../../ports/provider.ts";
import { recordAnswer } from "../accounting/sub-calls.ts";
import type { Attempt } from "../attempts/attempt.ts";

/** The questions. */
export interface NativeDecision {
  readonly request: DecisionRequest;
  readonly questions: DecisionQuestions;
}

/** The answers of a decision provider in the caller's form; it may answer in either. What it consumed is billed also when an answer is bad. */
export async function askNative(
  provider: Required<Provider>,
  { request, questions }: NativeDecision,
  attempt: Attempt,
): Promise<DecisionResponse> {
  const reported = await provider.decide(request, attempt);
  const distributions = readAnswers(questions, reported.answers);
  if (!("problem" in distributions)) return { ...reported, answers: writeAnswers(questions, distributions) };
  recordAnswer(attempt, { request, usage: reported.usage });
  throw badAnswer(attempt, distributions);
}

/** The error of an answer that is missing or out of range: the next candidate is asked. */
export function badAnswer({ target: { name, provider } }: Attempt, { question, problem }: BadAnswer): GatewayError {
  const message = `The answer of ${name} to the question \`${question}\` ${problem}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
