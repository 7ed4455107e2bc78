import type { GatewayError } from "../../errors.ts";
import { present } from "../../policy/drafts.ts";
import { type CircuitOutcome, circuitOutcome } from "../../routing/circuit.ts";
import type { Target } from "../../routing/plan.ts";
import type { Call } from "../call/call.ts";
import { timeoutsOfProvider } from "./provider-timeouts.ts";

/** An attempt, as far as its time limits go. */
interface TimedAttempt {
  readonly target: Target;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * What an attempt's end says of its target's health. A timeout says nothing where the target was given less than its own
 * deadlines allow: the caller or its key is in a hurry, or earlier targets have used the time up; all callers share the circuit.
 */
export function circuitOutcomeOf(call: Call, attempt: TimedAttempt, error: GatewayError | undefined): CircuitOutcome {
  return error?.code === "upstream_timeout" && isHurried(call, attempt) ? "neutral" : circuitOutcome(error);
}

function isHurried({ ports, options, access, deadline }: Call, { target, startedAt }: TimedAttempt): boolean {
  const own = { ...ports.timeouts, ...timeoutsOfProvider(ports, target.provider) };
  const { connect, firstContent, gap } = { ...own, ...access?.timeouts, ...present({ ...options.timeouts }) };
  if (connect < own.connect || firstContent < own.firstContent || gap < own.gap) return true;
  const now = ports.clock.now();
  return now >= deadline && now - startedAt < Math.min(own.firstContent, ports.timeouts.whole);
}
