import type { ErrorCode } from "../../../errors.ts";
import { type BehaviourName, behaviours } from "../behaviours.ts";
import type { Conduct, Outcome, Scenario } from "../scenario.ts";

/** A complete answer of the asked model. */
export function served(behaviour: BehaviourName): Outcome {
  return { kind: "answer", from: "asked", text: behaviours[behaviour].text };
}

/** A complete answer of the fallback `other`. */
export const rescued: Outcome = { kind: "answer", from: "fallback", text: behaviours.other.text };

/** An error before any content. */
export function failed(status: number | undefined, code: ErrorCode): Outcome {
  return { kind: "error", code, status };
}

/** The same conduct, whole and streamed. */
export function bothWays(conduct: Conduct): Scenario["conduct"] {
  return { whole: conduct, streamed: conduct };
}

/** One call, then one of the fallback, which answers. */
export const nextAtOnce: Conduct = { calls: 1, fallbackCalls: 1, outcome: rescued };

/** All tries with back-off between them, then one call of the fallback, which answers. */
export const nextAfterTries: Conduct = {
  calls: "every_try",
  fallbackCalls: 1,
  pauses: "back_off",
  outcome: rescued,
};

/** A second try after a back-off, which goes well. */
export function secondTry(behaviour: BehaviourName): Conduct {
  return { calls: 2, pauses: "back_off", outcome: served(behaviour) };
}
