import type {
  CounterReading,
  CounterReservation,
  Counters,
  CounterValue,
  Hold,
  ReserveCall,
  ReservedAmount,
  Settlement,
  Shortfall,
  Window,
} from "../../src/engine/ports/counters.ts";
import { memorySlots } from "../shared/memory-slots.ts";

/** A counter in its present window. Given out as a live {@link CounterValue}. */
interface LiveCounter extends CounterValue {
  /** From `start` to `end`, for tickets. */
  readonly window: Window;
  used: number;
  reserved: number;
}

/** `lapsed`: expired, and neither settled nor released yet. */
type ReservationState = "open" | "lapsed" | "closed";

/** A ticket with what stands behind it. */
interface OpenReservation extends CounterReservation {
  readonly counts: readonly LiveCounter[];
  /** As they count now: as they were reserved, or narrowed. */
  holds: readonly Hold[];
  state: ReservationState;
  /** Where it stands among those that expire in the same second. */
  slot: number;
}

/** Tickets by the second in which they expire. Lists and not sets: see docs/performance.md on sets that every request passes through. */
type Agenda = Map<number, OpenReservation[]>;

/** Counters that look for windows that are over, per reservation. */
const sweepsPerCall = 2;

/** Counters in the memory of this process: exact, synchronous, gone with it (a store keeps their standings). */
export function memoryCounters(): Counters {
  const counts = new Map<string, LiveCounter>();
  const agenda: Agenda = new Map();
  const sweep = createSweep(counts);
  let nextExpiry = Infinity;
  const expire = (now: number): void => {
    if (now >= nextExpiry) nextExpiry = expireReservations(agenda, now);
  };
  return {
    slots: memorySlots(),
    reserve(call) {
      expire(call.now);
      sweep(call.now);
      const open = findOpen(counts, call);
      const shortfall = findShortfall(open, call);
      if (shortfall) return shortfall;
      const reservation = openReservation(counts, open, call);
      enter(agenda, reservation);
      nextExpiry = Math.min(nextExpiry, call.expiresAt);
      return reservation;
    },
    settle(reservation, real, now) {
      expire(now);
      const open = reservation as OpenReservation; // made by `reserve` above: the port asks for the very object
      if (open.state === "closed") return { isFirst: false, values: [] };
      return settleReservation(agenda, open, real);
    },
    reduce(reservation, real, now) {
      expire(now);
      const open = reservation as OpenReservation;
      if (open.state === "closed") return false;
      reduceReservation(open, real);
      return true;
    },
    release(reservation, now) {
      expire(now);
      const open = reservation as OpenReservation;
      if (open.state === "closed") return false;
      releaseHolds(open);
      close(agenda, open);
      return true;
    },
    read(names, now) {
      expire(now);
      return names.map((name) => readCount(counts.get(name), now));
    },
    restore: (values, now) => values.forEach((value) => void restoreCount(counts, value, now)),
  };
}

/** The counters of a call's holds whose windows are open. */
function findOpen(counts: ReadonlyMap<string, LiveCounter>, { holds, now }: ReserveCall): (LiveCounter | undefined)[] {
  const open: (LiveCounter | undefined)[] = [];
  for (const { counter } of holds) {
    const count = counts.get(counter);
    open.push(count && now < count.end ? count : undefined);
  }
  return open;
}

function findShortfall(open: readonly (LiveCounter | undefined)[], { holds }: ReserveCall): Shortfall | undefined {
  for (let position = 0; position < holds.length; position++) {
    const { limit, amount, opens } = holds[position] as Hold;
    const count = open[position];
    const left = count ? limit - count.used - count.reserved : limit;
    const reserved = count?.reserved ?? 0;
    const resetsAt = (count ?? opens).end;
    if (amount > left) return { kind: "shortfall", position, left: Math.max(0, left), resetsAt, reserved };
  }
  return undefined;
}

/** Reserves what fits; opens the windows that are not open. */
function openReservation(
  known: Map<string, LiveCounter>,
  open: readonly (LiveCounter | undefined)[],
  { reservationId: reservation, holds, expiresAt }: ReserveCall,
): OpenReservation {
  const counts: LiveCounter[] = [];
  const held: ReservedAmount[] = [];
  for (let position = 0; position < holds.length; position++) {
    const { counter, amount, limit, opens } = holds[position] as Hold;
    const count = open[position] ?? openCount(known, counter, opens);
    counts.push(count);
    count.reserved += amount;
    held.push({ counter, amount, window: count.window, left: limit - count.used - count.reserved });
  }
  return { kind: "reserved", id: reservation, expiresAt, held, holds, counts, state: "open", slot: 0 };
}

/** A fresh object, so that tickets of the window before still find theirs. */
function openCount(counts: Map<string, LiveCounter>, counter: string, window: Window): LiveCounter {
  const { start, end } = window;
  const count = { counter, start, end, window, used: 0, reserved: 0 };
  counts.set(counter, count);
  return count;
}

function settleReservation(agenda: Agenda, reservation: OpenReservation, real: readonly number[]): Settlement {
  releaseHolds(reservation);
  const { counts } = reservation;
  for (let position = 0; position < counts.length; position++) {
    (counts[position] as LiveCounter).used += real[position] ?? 0;
  }
  close(agenda, reservation);
  return { isFirst: true, values: counts };
}

/** What was spent stays whether or not the ticket lapses, as hard amounts do. */
function reduceReservation(reservation: OpenReservation, real: readonly number[]): void {
  releaseHolds(reservation);
  reservation.holds = reservation.holds.map((hold, position) => ({
    ...hold,
    amount: real[position] ?? 0,
    isHard: true,
  }));
  for (const [at, { amount }] of reservation.holds.entries())
    (reservation.counts[at] as LiveCounter).reserved += amount;
}

/** Takes what is still reserved off: all of an open ticket, the hard holds of a lapsed one. */
function releaseHolds({ counts, holds, state }: OpenReservation): void {
  for (let position = 0; position < holds.length; position++) {
    const { isHard, amount } = holds[position] as Hold;
    if (state === "open" || isHard) (counts[position] as LiveCounter).reserved -= amount;
  }
}

function enter(agenda: Agenda, reservation: OpenReservation): void {
  const second = Math.floor(reservation.expiresAt / 1_000);
  const due = agenda.get(second) ?? [];
  if (due.length === 0) agenda.set(second, due);
  reservation.slot = due.length;
  due.push(reservation);
}

function close(agenda: Agenda, reservation: OpenReservation): void {
  if (reservation.state === "open") {
    const second = Math.floor(reservation.expiresAt / 1_000);
    const due = agenda.get(second);
    if (due) strike(due, reservation);
    if (due?.length === 0) agenda.delete(second);
  }
  reservation.state = "closed";
}

/** Takes a ticket off its list; the last one moves to its place. */
function strike(due: OpenReservation[], reservation: OpenReservation): void {
  const last = due.pop();
  if (!last || last === reservation) return;
  last.slot = reservation.slot;
  due[last.slot] = last;
}

/** Lets the tickets lapse whose time has come; returns when to look again. */
function expireReservations(agenda: Agenda, now: number): number {
  let next = Infinity;
  for (const [second, due] of agenda) {
    if (second * 1_000 > now) {
      next = Math.min(next, second * 1_000);
      continue;
    }
    for (const reservation of [...due]) {
      if (reservation.expiresAt > now) next = Math.min(next, reservation.expiresAt);
      else lapse(reservation, due);
    }
    if (due.length === 0) agenda.delete(second);
  }
  return next;
}

function lapse(reservation: OpenReservation, due: OpenReservation[]): void {
  for (const [position, hold] of reservation.holds.entries()) {
    if (!hold.isHard) (reservation.counts[position] as LiveCounter).reserved -= hold.amount;
  }
  reservation.state = "lapsed";
  strike(due, reservation);
}

function readCount(count: LiveCounter | undefined, now: number): CounterReading | undefined {
  if (!count || now >= count.end) return undefined;
  const { counter, start, end, used, reserved } = count;
  return { counter, start, end, used, reserved };
}

function restoreCount(counts: Map<string, LiveCounter>, value: CounterValue, now: number): void {
  const { counter, start, end, used } = value;
  if (now >= end) return;
  const count = counts.get(counter);
  if (count && count.start === start) count.used = used;
  else openCount(counts, counter, { start, end }).used = used;
}

/** A look at the next few counters with every call, round and round, so that those of keys that went silent are dropped. */
function createSweep(counts: Map<string, LiveCounter>): (now: number) => void {
  let round = counts.values();
  return (now) => {
    for (let looks = 0; looks < sweepsPerCall; looks++) {
      const { value: count, done } = round.next();
      if (done) {
        round = counts.values();
        return;
      }
      if (now >= count.end) counts.delete(count.counter);
    }
  };
}
