import { meanOf } from "../orders.ts";
import type { DecidedQuestion, QuestionOutcome } from "../outcome.ts";

/** What one model answered to all questions. */
export interface Ballot {
  /** `provider/model`. */
  readonly voter: string;
  readonly outcomes: readonly QuestionOutcome[];
}

/**
 * The outcome of each question over several models: the mean of their distributions, by the ways and with the least mass of those that
 * decided it. A question that fewer than `least` of them decided is refused.
 */
export function countBallots(ballots: readonly Ballot[], least: number): readonly QuestionOutcome[] {
  const [first] = ballots;
  return (first?.outcomes ?? []).map((_, at) => {
    const votes = ballots.flatMap(({ voter, outcomes }) => {
      const outcome = outcomes[at];
      return outcome?.kind === "decided" ? [{ voter, outcome }] : [];
    });
    const [one] = votes;
    if (one === undefined || votes.length < least) return refusalIn(ballots, at);
    return meanOutcome(
      one.outcome,
      votes.map(({ outcome }) => outcome),
      votes.map(({ voter }) => voter),
    );
  });
}

/** The common refusal, by the way of the first that refused. */
function refusalIn(ballots: readonly Ballot[], at: number): QuestionOutcome {
  const outcomes = ballots.flatMap(({ outcomes: all }) => all[at] ?? []);
  const { method } = (outcomes.find(({ kind }) => kind === "refused") ?? outcomes[0]) as QuestionOutcome;
  return { kind: "refused", method };
}

function meanOutcome(
  { method }: DecidedQuestion,
  outcomes: readonly DecidedQuestion[],
  voters: readonly string[],
): DecidedQuestion {
  const masses = outcomes.flatMap(({ mass }) => mass ?? []);
  return {
    kind: "decided",
    method,
    distribution: meanOf(outcomes.map(({ distribution }) => distribution)),
    voters,
    ...(masses.length === 0 ? {} : { mass: Math.min(...masses) }),
  };
}
