import type { DecisionMethod } from "../../api/decisions/options.ts";
import type { DecisionRequest } from "../../api/decisions.ts";
import { digest } from "../../caching/fingerprint.ts";
import type { TypedQuestion } from "../../decisions/question.ts";

/** A question as one model answers it. */
export interface AnsweredQuestion {
  /** `provider/model`. */
  readonly model: string;
  readonly question: TypedQuestion;
  readonly method: DecisionMethod;
  readonly asked: Pick<DecisionRequest, "labels" | "permutations" | "prior" | "examples">;
}

/**
 * The id of the calibration map for a model, a question and a way of asking it: another wording, other options or another number of
 * orders make other probabilities. The name of the question is no part of it.
 */
export function calibrationId({ model, question, method, asked }: AnsweredQuestion): string {
  const { kind, instructions = null, options } = question;
  const { labels = "letters", permutations = 1, prior = false, examples = [] } = asked;
  const form = {
    native: [],
    tool: [examples],
    tokens: [labels, permutations, prior, examples],
  }[method];
  const described = options.map(({ key, label = null, description = null }) => [key, label, description]);
  return `cal_${digest([model, kind, instructions, described, method, form])}`;
}
