import type { QuestionOutcome } from "../outcome.ts";

/** A question whose best two options are close. */
export interface CloseCall {
  /** Position among the questions. */
  readonly at: number;
  /** Difference of the two probabilities. */
  readonly margin: number;
}

/** The questions whose best two options differ by less than a margin, the closest first. */
export function closeCalls(outcomes: readonly QuestionOutcome[], margin: number): readonly CloseCall[] {
  const calls = outcomes.flatMap((outcome, at): CloseCall[] => {
    if (outcome.kind !== "decided" || outcome.distribution.length < 2) return [];
    const [best = 1, second = 0] = outcome.distribution.toSorted((one, other) => other - one);
    return best - second < margin ? [{ at, margin: best - second }] : [];
  });
  return calls.sort((one, other) => one.margin - other.margin || one.at - other.at);
}
