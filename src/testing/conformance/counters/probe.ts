import assert from "node:assert/strict";
import type { CounterReservation, Counters, Hold, ReserveCall, Shortfall } from "../../../engine/ports/counters.ts";

/** The instant at which the cases begin: midnight UTC. */
export const start = Date.UTC(2026, 0, 31);
export const day = 86_400_000;
/** The windows that they use. */
export const today = { start, end: start + day };
export const tomorrow = { start: start + day, end: start + 2 * day };

/** A hold with what most cases share: 10 of 100 on counter `a`, today, soft. */
export function hold(parts: Partial<Hold> = {}): Hold {
  return { counter: "a", amount: 10, limit: 100, opens: today, isHard: false, ...parts };
}

let reservations = 0;

function nextReservationId(): string {
  return `t${reservations++}`;
}

/** Reserves from `start` for a second by default. */
export async function reserve(counters: Counters, holds: readonly Hold[], settings: Partial<ReserveCall> = {}) {
  const call = { reservationId: nextReservationId(), holds, now: start, expiresAt: start + 1_000, ...settings };
  return await counters.reserve(call);
}

/** Reserves, and fails when it is refused. */
export async function mustReserve(counters: Counters, holds: readonly Hold[], settings: Partial<ReserveCall> = {}) {
  const answer = await reserve(counters, holds, settings);
  assert.equal(answer.kind, "reserved");
  return answer as CounterReservation;
}

/** Wants a refusal. */
export async function mustRefuse(counters: Counters, holds: readonly Hold[], settings: Partial<ReserveCall> = {}) {
  const answer = await reserve(counters, holds, settings);
  assert.equal(answer.kind, "shortfall");
  return answer as Shortfall;
}

/** What counters `a` and `b` hold, as `used+reserved`; `-` without an open window. */
export async function notify(counters: Counters, now = start): Promise<string> {
  const readings = await counters.read(["a", "b"], now);
  return readings.map((reading) => (reading ? `${reading.used}+${reading.reserved}` : "-")).join(" ");
}
