import type { Limit } from "../../policy/limit.ts";
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
import { countedLimits } from "./counted-limits.ts";
import { fitAnswer, isFitting, planFitted, type ShortReservation } from "./fit-answer.ts";
import type { PricedTarget } from "./ledger-line.ts";
import { type CountedTarget, planCharge } from "./plan-charge.ts";
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
  const { clock, unpricedRates } = call.ports;
  const at = clock.now();
  const facts = factsOf(call, target, { at });
  const { entry: own, limits } = countedLimits(call, target);
  const substitute = limits.some(({ unit }) => unit === "cost") ? unpricedRates : undefined;
  const priced: PricedTarget = { target, at, facts, ...(substitute ? { substitute } : {}) };
  if (limits.length === 0) return newCharge(priced, undefined, undefined);
  const entry = own?.provider ?? target.provider;
  const counted = { ...priced, entry };
  const planned = planCharge(call, limits, counted);
  if ("kind" in planned) return planned;
  const first = await reserveWithin(call, planned.call);
  const taken =
    first.kind === "reserved"
      ? { reservation: planned, outcome: first }
      : await takeFitted(call, limits, { counted, reservation: planned, shortfall: first });
  if ("reason" in taken) {
    const requests = rateStatusOfRefusal(taken, "requests");
    reportRates(call, { at, requests, tokens: rateStatusOfRefusal(taken, "tokens") });
    return taken;
  }
  const { reservation, outcome } = taken;
  call.countedEntries = [...call.countedEntries, entry];
  const requests = findTightest(reservation, outcome, "requests");
  reportRates(call, { at, requests, tokens: findTightest(reservation, outcome, "tokens") });
  return newCharge(priced, reservation, outcome);
}

/** Times that an answer is shortened anew, where others were faster. */
const mostFittings = 3;

interface ShortCharge extends ShortReservation {
  readonly counted: CountedTarget;
}

/** Reserves for a shorter answer, where the caller or a budget wishes that and one fits; else the refusal says what would fit. */
async function takeFitted(
  call: Call,
  limits: readonly Limit[],
  short: ShortCharge,
): Promise<Refusal | { readonly reservation: Reservation; readonly outcome: CounterReservation }> {
  const { counted } = short;
  const { name } = counted.target;
  let { reservation, shortfall } = short;
  for (let tries = 0; ; tries++) {
    const tokens = fitAnswer(call, counted, { reservation, shortfall });
    const refusal = refuseShortfall(reservation, shortfall, tokens);
    if (tokens === 0 || tries === mostFittings || !isFitting(call, { reservation, shortfall })) return refusal;
    const planned = planFitted(call, limits, { counted, tokens });
    if ("kind" in planned) return planned;
    const outcome = await reserveWithin(call, planned.call);
    call.fitted = new Map([...(call.fitted ?? []), [name, tokens]]);
    if (outcome.kind === "reserved") return { reservation: planned, outcome };
    reservation = planned;
    shortfall = outcome;
  }
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
