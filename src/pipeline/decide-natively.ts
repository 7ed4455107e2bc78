import type { DecisionRequest, DecisionResponse } from "../api/decisions.ts";
import { writeAnswers } from "../decisions/answers.ts";
import type { Inquiry } from "../decisions/inquiry.ts";
import { type BadAnswer, readAnswers } from "../decisions/reading.ts";
import { GatewayError } from "../errors.ts";
import type { Provider } from "../ports.ts";
import type { Attempt } from "./attempt.ts";
import { noteAnswered } from "./parts.ts";

/** What is asked. */
export interface Asked {
  readonly request: DecisionRequest;
  readonly inquiry: Inquiry;
}

/** The answers of a decision provider in the caller's form; it may answer in either. What it consumed is billed also when an answer is bad. */
export async function askNative(
  provider: Required<Provider>,
  { request, inquiry }: Asked,
  attempt: Attempt,
): Promise<DecisionResponse> {
  const told = await provider.decide(request, attempt);
  const distributions = readAnswers(inquiry, told.answers);
  if (!("problem" in distributions)) return { ...told, answers: writeAnswers(inquiry, distributions) };
  noteAnswered(attempt, { request, usage: told.usage });
  throw badAnswer(attempt, distributions);
}

/** The error of an answer that is missing or out of range: the next candidate is asked. */
export function badAnswer({ target: { name, provider } }: Attempt, { question, problem }: BadAnswer): GatewayError {
  const message = `The answer of ${name} to the question \`${question}\` ${problem}.`;
  return new GatewayError("upstream_invalid_response", message, { provider });
}
