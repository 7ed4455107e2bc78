import type { DecisionRequest, DecisionResponse } from "../../../api/decisions.ts";
import type { Usage } from "../../../api/usage.ts";
import { writeAnswers } from "../../../decisions/answers.ts";
import type { QuestionOutcome } from "../../../decisions/outcome.ts";
import { readQuestions } from "../../../decisions/question.ts";

/** What a target answered, read; one outcome for each question, in order. */
export interface ReadDecision {
  readonly id: string;
  readonly model: string;
  readonly usage?: Usage | undefined;
  readonly service_tier?: unknown;
  readonly outcomes: readonly QuestionOutcome[];
}

/** The answer in the form of the request. */
export function writeDecision(request: DecisionRequest, { outcomes, ...rest }: ReadDecision): DecisionResponse {
  return { ...rest, answers: writeAnswers(readQuestions(request), outcomes) };
}
