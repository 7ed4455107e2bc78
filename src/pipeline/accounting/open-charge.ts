import { entryFor } from "../../policy/access.ts";
import {
  findTightest,
  type Reservation,
  rateStatusOfRefusal,
  refuseShortfall,
} from "../../policy/limits-reservation.ts";
import type { Refusal } from "../../policy/refusal.ts";
import type { CounterReservation } from "../../ports/counters.ts";
import type { Target } from "../../routing/plan.ts";
import { notifySafely } from "../../runtime/notify.ts";
import { type Call, emitDefect } from "../call/call.ts";
import type { RateLimits } from "../call/options.ts";
import type { PricedTarget } from "./ledger-line.ts";
import { planCharge } from "./plan-charge.ts";
import { reserveWithin } from "./reserve.ts";
import { factsOf } from "./target-facts.ts";

/** What asking one target uses of the caller's limits and money: reserved before, settled once after. */
export interface Charge extends PricedTarget {
  readonly kind: "charge";
  readonly reservation: Reservation | undefined;
  readonly counterReservation: CounterReservation | undefined;
  isSettled: boolean;
  /** The call continues without this target. */
  isEarly: boolean;
}

/**
 * Opens the charge of asking a target: looks the model up and reserves the most that the call may use, or says which limit refuses it.
 */
export async function openCharge(call: Call, target: Target): Promise<Charge | Refusal> {
  const { clock, accounting } = call.ports;
  const at = clock.now();
  const facts = factsOf(call, target, { at });
  const { access } = call;
  // The key need not allow a target that embeds for the cache; the limits for every target hold there, too.
  const own = access && entryFor(access, target.provider);
  const limits = (own ?? access)?.limits;
  const substitute = limits?.some(({ unit }) => unit === "cost") ? accounting.unpricedRates : undefined;
  const priced: PricedTarget = { target, at, facts, ...(substitute ? { substitute } : {}) };
  if (!limits || limits.length === 0) return newCharge(priced, undefined, undefined);
  const entry = own?.provider ?? target.provider;
  const reservation = planCharge(call, limits, { ...priced, entry });
  if ("kind" in reservation) return reservation;
  const outcome = await reserveWithin(call, reservation.call);
  if (outcome.kind === "shortfall") {
    const refusal = refuseShortfall(reservation, outcome);
    const requests = rateStatusOfRefusal(refusal, "requests");
    reportRates(call, { at, requests, tokens: rateStatusOfRefusal(refusal, "tokens") });
    return refusal;
  }
  call.countedEntries = [...call.countedEntries, entry];
  const requests = findTightest(reservation, outcome, "requests");
  reportRates(call, { at, requests, tokens: findTightest(reservation, outcome, "tokens") });
  return newCharge(priced, reservation, outcome);
}

/** A listener that throws must not keep the reservation from being released. */
function reportRates(call: Call, rates: RateLimits): void {
  const { onRates } = call.options;
  if (onRates)
    notifySafely(
      () => onRates(rates),
      (thrown) => emitDefect(call, thrown),
    );
}

function newCharge(
  priced: PricedTarget,
  reservation: Reservation | undefined,
  pass: CounterReservation | undefined,
): Charge {
  return { kind: "charge", ...priced, reservation, counterReservation: pass, isSettled: false, isEarly: false };
}
