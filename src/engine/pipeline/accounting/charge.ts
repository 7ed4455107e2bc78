import type { Usage } from "../../api/usage.ts";
import { billReserved } from "../../metering/bills/other-bills.ts";
import type { Bill } from "../../metering/cost.ts";
import { chargeReservation, mostReserved, type Reservation } from "../../policy/limits-reservation.ts";
import type { CounterReservation, CounterValue, Settlement } from "../../ports/counters.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { notifySafely } from "../../runtime/notify.ts";
import { type Call, emitDefect } from "../call/call.ts";
import { priceOf } from "./bill-usage.ts";
import { type Consumption, recordAttempt } from "./ledger-line.ts";
import type { Charge } from "./open-charge.ts";
import { releaseTopUps } from "./top-up.ts";

export { type Charge, openCharge } from "./open-charge.ts";

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
  noteLength(call, charge, consumption);
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

/** Remembers a target that gave a longer answer than it was asked for: hard budgets no longer rely on its limit. */
function noteLength({ facts, ports }: Call, { target, reservation }: Charge, { usage, parts }: Consumption): void {
  const { max_completion_tokens: most, n }: { max_completion_tokens?: number; n?: number } = facts?.request ?? {};
  if (!reservation || !usage || parts || most === undefined) return;
  if (usage.completion_tokens > most * Math.max(1, n ?? 1)) ports.accounting.noteOverrun(target.name);
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
  if (call.topUps.length > 0) releaseTopUps(call, charge.target.name);
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
