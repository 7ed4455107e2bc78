import type { Usage } from "../../api/usage.ts";
import type { Bill } from "../../metering/cost.ts";
import { billReserved, boundCost } from "../../metering/cost-bound.ts";
import { entryFor } from "../../policy/access.ts";
import type { Limit } from "../../policy/limit.ts";
import {
  chargeReservation,
  countTarget,
  findTightest,
  mostReserved,
  planReservation,
  type Reservation,
  rateStatusOfRefusal,
  refuseShortfall,
} from "../../policy/limits-reservation.ts";
import { type Refusal, refuse } from "../../policy/refusal.ts";
import type { CounterReservation, CounterValue, Settlement } from "../../ports/counters.ts";
import type { Target } from "../../routing/plan.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { notifySafely } from "../../runtime/notify.ts";
import { type Call, emitDefect } from "../call/call.ts";
import type { RateLimits } from "../call/options.ts";
import { type Consumption, type PricedTarget, priceOf, recordAttempt } from "./ledger-line.ts";
import { reserveWithin } from "./reserve.ts";

/** What asking one target uses of the caller's limits and money: reserved before, settled once after. */
export interface Charge extends PricedTarget {
  readonly kind: "charge";
  readonly reservation: Reservation | undefined;
  readonly counterReservation: CounterReservation | undefined;
  isSettled: boolean;
  /** The call continues without this target. */
  isEarly: boolean;
}

/** Milliseconds beyond the deadline after which a reservation lapses: its process is then presumed dead. */
const graceMs = 60_000;

/**
 * Opens the charge of asking a target: looks the model up and reserves the most that the call may use, or says which limit refuses it.
 */
export async function openCharge(call: Call, target: Target): Promise<Charge | Refusal> {
  const { clock, accounting } = call.ports;
  const at = clock.now();
  const facts = accounting.prices.find(target.provider, target.model, at);
  const { access } = call;
  // The key need not allow a target that embeds for the cache; the limits for every target hold there, too.
  const own = access && entryFor(access, target.provider);
  const limits = (own ?? access)?.limits;
  const priced = { target, at, facts };
  if (!limits || limits.length === 0) return newCharge(priced, undefined, undefined);
  const entry = own?.provider ?? target.provider;
  const reservation = planCharge(call, limits, { target, at, facts, entry });
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
  { target, at, facts }: PricedTarget,
  reservation: Reservation | undefined,
  pass: CounterReservation | undefined,
): Charge {
  return { kind: "charge", target, at, facts, reservation, counterReservation: pass, isSettled: false, isEarly: false };
}

/** A target, and the name under which it counts as asked, as `entryName` gives it. */
interface CountedTarget extends PricedTarget {
  readonly entry: string;
}

function planCharge(
  call: Call,
  limits: readonly Limit[],
  { target, at, facts, entry }: CountedTarget,
): Reservation | Refusal {
  const settings = { reservationId: reservationName(call, target), now: at, expiresAt: call.deadline + graceMs };
  const counting = countTarget(entry, call.countedEntries);
  const request = call.facts?.request;
  if (call.cache?.hit || !limits.some(({ unit }) => unit !== "requests")) {
    return planReservation(limits, { cost: { hard: 0, soft: 0 }, tokens: 0, counting }, settings);
  }
  const consumable = call.facts?.bound(facts);
  const { service_tier: tier }: { service_tier?: string | null } = request ?? {};
  const cost = consumable && facts?.rates && boundCost(consumable, facts.rates, tier);
  if (!cost && call.ports.accounting.deniesUnpriced && limits.some(({ unit }) => unit === "cost")) {
    return refuse("model_blocked", `The price of \`${target.name}\` is unknown, and the virtual key has a budget.`);
  }
  const tokens = consumable ? consumable.prompt.soft + consumable.completion.soft : 0;
  return planReservation(limits, { cost: cost ?? { hard: 0, soft: 0 }, tokens, counting }, settings);
}

/** A target may be asked again while its earlier reservation is open. The number comes first: model names may contain one. */
function reservationName({ id, countedEntries: { length: before } }: Call, { name }: Target): string {
  return `${id}/${before}/${name}`;
}

/**
 * Settles a charge as {@link settleCharge} does, while the call goes on. The amount stays reserved until the call's ledger entry
 * is written: a store may write counter values at any time, and after a crash charges the entry on top of them.
 */
export function settleEarly(call: Call, charge: Charge, consumption: Consumption): Bill | undefined {
  charge.isEarly = true;
  return settleCharge(call, charge, consumption);
}

/** Settles a charge, once: prices what was spent, settles the reservation, writes the target's line of the bill. */
export function settleCharge(call: Call, charge: Charge, consumption: Consumption): Bill | undefined {
  if (charge.isSettled) return undefined;
  charge.isSettled = true;
  let bill: Bill | undefined;
  try {
    bill = priceOf(call, charge, consumption);
  } catch (thrown) {
    emitDefect(call, thrown);
    return settleUnpriceable(call, charge, consumption);
  }
  const real = { requests: 1, tokens: consumption.usage?.total_tokens ?? 0, cost: bill?.total ?? 0 };
  settleReservation(call, charge, (reservation) => chargeReservation(reservation, real));
  recordAttempt(call, { charge, consumption, bill });
  return bill;
}

/** If a defect prevents pricing, charges the most that was reserved, on every level and in the ledger, within any hard budget. */
function settleUnpriceable(call: Call, charge: Charge, consumption: Consumption): undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = consumption.usage as Usage; // what has none needs no price
  const cost = charge.reservation ? mostReserved(charge.reservation, "cost") : 0;
  const charged = { requests: 1, tokens: total_tokens, cost };
  settleReservation(call, charge, (reservation) => chargeReservation(reservation, charged));
  const usage = { prompt_tokens, completion_tokens, total_tokens };
  const isEstimated = consumption.isEstimated === true || cost > 0;
  recordAttempt(call, { charge, consumption: { ...consumption, usage, isEstimated }, bill: billReserved(cost) });
}

function settleReservation(
  call: Call,
  charge: Charge,
  amountsOf: (reservation: Reservation) => readonly number[],
): void {
  const { counterReservation: held, reservation, isEarly } = charge;
  if (!held || !reservation) return;
  const { accounting, clock } = call.ports;
  const real = amountsOf(reservation);
  const reduced = isEarly && !call.isSettled ? reduceReservation(call, held, real) : undefined;
  if (reduced === undefined) awaitSettlement(call, () => accounting.counters.settle(held, real, clock.now()));
  else call.deferred = [...call.deferred, { reservation: held, real, reduced }];
  if (reduced instanceof Promise) reduced.catch(() => {}); // the settlement corrects that, or is reported
}

/** `undefined` where the counters cannot reduce, or fail to: the reservation is then settled at once. */
function reduceReservation(
  call: Call,
  reservation: CounterReservation,
  real: readonly number[],
): MaybePromise<boolean> | undefined {
  const { accounting, clock } = call.ports;
  try {
    return accounting.counters.reduce?.(reservation, real, clock.now());
  } catch (thrown) {
    emitDefect(call, thrown);
    return undefined;
  }
}

/** Settles and collects the counter values, before the call's entry is written. If it fails, the bill is written all the same. */
export function awaitSettlement(call: Call, settle: () => MaybePromise<Settlement>): void {
  let taken: Promise<void>;
  try {
    const settlement = settle();
    if (!(settlement instanceof Promise)) {
      addCounterValues(call, settlement);
      return;
    }
    taken = settlement.then((settled) => addCounterValues(call, settled));
  } catch (thrown) {
    taken = Promise.reject(thrown);
  }
  taken.catch(() => {}); // reported when the call is settled, which may be many tries later: nothing awaits it until then
  call.pending.push(taken);
}

function addCounterValues(call: Call, { values: counterValues }: Settlement): void {
  if (call.isEntryWritten && counterValues.length > 0) appendLate(call, counterValues);
  call.counterValues = call.counterValues.length === 0 ? counterValues : [...call.counterValues, ...counterValues];
}

/** Counter values that came too late for the call's entry, which is in the ledger. */
function appendLate(call: Call, counterValues: readonly CounterValue[]): void {
  notifySafely(
    () => call.ports.accounting.ledger?.append([], counterValues),
    (thrown) => emitDefect(call, thrown),
  );
}
