import type { Consumable } from "../../metering/usage-bound.ts";
import { refuseShortfall } from "../../policy/limits-reservation.ts";
import { toRefusalError } from "../../policy/refusal.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, emitDefect } from "../call/call.ts";
import { countedLimits } from "./counted-limits.ts";
import { everyCall, graceMs, planConsumption, sizesOf } from "./plan-charge.ts";
import { reserveWithin } from "./reserve.ts";
import { factsOf } from "./target-facts.ts";

/** A further call to a target, beyond what its charge has reserved. */
export interface FurtherCall {
  readonly target: Target;
  /** Names the further call; of one name only the first is reserved for. */
  readonly name: string;
  readonly boundOf: (facts: ReturnType<typeof sizesOf>) => Consumable;
}

/** Reserves what a further call to a target may consume, on every level; throws the refusal where a limit has no room for it. */
export async function topUp(call: Call, { target, name, boundOf }: FurtherCall): Promise<void> {
  const { ports } = call;
  const { limits } = countedLimits(call, target);
  const holder = target.name;
  if (
    limits.length === 0 ||
    call.topUps.some((each) => each.target === holder && (each.name === name || each.name === everyCall))
  )
    return;
  const at = ports.clock.now();
  const facts = factsOf(call, target, { at });
  const consumable = boundOf(sizesOf(call, { target, at, facts }));
  const reservationId = `${call.id}/${call.topUps.length}+/${holder}`;
  const settings = { reservationId, now: at, expiresAt: call.deadline + graceMs };
  const planned = planConsumption(call, limits, { target, at, facts, consumable, counting: "none", settings });
  if ("kind" in planned) throw toRefusalError(planned);
  const entry = { target: holder, name };
  call.topUps = [...call.topUps, entry];
  const outcome = await reserveWithin(call, planned.call);
  if (outcome.kind === "shortfall") throw toRefusalError(refuseShortfall(planned, outcome));
  call.topUps = call.topUps.map((each) => (each === entry ? { ...entry, reservation: outcome } : each));
}

/** Gives back what was reserved beyond a target's charge, once that is settled with what was used. */
export function releaseTopUps(call: Call, target: string): void {
  const own = call.topUps.filter((each) => each.target === target);
  if (own.length === 0) return;
  call.topUps = call.topUps.filter((each) => each.target !== target);
  const { accounting, clock } = call.ports;
  for (const { reservation } of own) {
    if (!reservation) continue;
    const released = Promise.resolve(accounting.counters.release(reservation, clock.now()));
    call.pending.push(released.catch((thrown) => emitDefect(call, thrown)));
  }
}
