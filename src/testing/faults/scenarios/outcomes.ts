import type { ErrorCode } from "../../../engine/errors.ts";
import { type BehaviourName, behaviours } from "../behaviours/behaviours.ts";
import type { Expectation, ExpectedOutcome, Scenario } from "./scenario.ts";

/** A complete answer of the primary model. */
export function served(
  behaviour: BehaviourName,
  parts: Pick<Extract<ExpectedOutcome, { kind: "answer" }>, "reasoning" | "calls"> = {},
): ExpectedOutcome {
  return { kind: "answer", from: "primary", text: behaviours[behaviour].text, ...parts };
}

/** A complete answer of the fallback `other`. */
export const rescued: ExpectedOutcome = { kind: "answer", from: "fallback", text: behaviours.other.text };

/** An error before any content. */
export function failed(status: number | undefined, code: ErrorCode): ExpectedOutcome {
  return { kind: "error", code, status };
}

/** The same conduct, whole and streamed. */
export function bothWays(expectation: Expectation): Scenario["expectation"] {
  return { whole: expectation, streamed: expectation };
}

/** The conduct of a stream; the way of a whole answer is not played. */
export function streamed(expectation: Expectation): Scenario["expectation"] {
  return { streamed: expectation };
}

/** One call, then one of the fallback, which answers. */
export const nextAtOnce: Expectation = { calls: 1, fallbackCalls: 1, outcome: rescued };

/** All tries with back-off between them, then one call of the fallback, which answers. */
export const nextAfterTries: Expectation = {
  calls: "every_try",
  fallbackCalls: 1,
  pauses: "back_off",
  outcome: rescued,
};

/** A second try after a back-off, which goes well. */
export function secondTry(behaviour: BehaviourName): Expectation {
  return { calls: 2, pauses: "back_off", outcome: served(behaviour) };
}
