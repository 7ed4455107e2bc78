import type { GatewayError } from "../errors.ts";
import { present } from "../policy/record.ts";
import type { Timeouts } from "../ports.ts";
import { type CircuitOutcome, circuitOutcome } from "../route/circuit.ts";
import type { Target } from "../route/plan.ts";
import type { Call } from "./call.ts";

/** An attempt, as far as it tells how much time it gave. */
interface Given {
  readonly target: Target;
  readonly timeouts: Timeouts;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/**
 * What an attempt's end says of its target's health. A timeout says nothing where the target was given less than its own deadlines allow:
 * the caller or its key is in a hurry, or those who were asked before have used the time up; the circuit is shared by all who ask it.
 */
export function blame(call: Call, attempt: Given, error: GatewayError | undefined): CircuitOutcome {
  return error?.code === "upstream_timeout" && isHurried(call, attempt) ? "neutral" : circuitOutcome(error);
}

function isHurried({ ports, deadline }: Call, { target, timeouts, startedAt }: Given): boolean {
  const own = { ...ports.timeouts, ...present({ ...ports.providers.get(target.provider)?.timeouts }) };
  if (timeouts.connect < own.connect || timeouts.firstContent < own.firstContent || timeouts.gap < own.gap) return true;
  const now = ports.clock.now();
  return now >= deadline && now - startedAt < Math.min(own.firstContent, ports.timeouts.whole);
}
