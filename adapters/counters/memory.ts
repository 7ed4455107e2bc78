import type {
  Counters,
  Held,
  Hold,
  Reading,
  ReserveCall,
  Settlement,
  Shortfall,
  Standing,
  Ticket,
  Window,
} from "../../src/ports/counters.ts";

/** A counter in its present window. Given out as a live {@link Standing}. */
interface Count extends Standing {
  /** From `start` to `end`, for tickets. */
  readonly window: Window;
  used: number;
  reserved: number;
}

/** `lapsed`: expired, and neither settled nor released yet. */
type TicketState = "open" | "lapsed" | "closed";

/** A ticket with what stands behind it. */
interface OpenTicket extends Ticket {
  readonly counts: readonly Count[];
  /** As they count now: as they were reserved, or narrowed. */
  holds: readonly Hold[];
  state: TicketState;
  /** Where it stands among those that expire in the same second. */
  place: number;
}

/** Tickets by the second in which they expire. Lists and not sets: see docs/performance.md on sets that every request passes through. */
type Agenda = Map<number, OpenTicket[]>;

/** Counters that look for windows that are over, per reservation. */
const sweepsPerCall = 2;

/** Counters in the memory of this process: exact, synchronous, gone with it (a store keeps their standings). */
export function memoryCounters(): Counters {
  const counts = new Map<string, Count>();
  const agenda: Agenda = new Map();
  const sweep = createSweep(counts);
  let nextExpiry = Infinity;
  const expire = (now: number): void => {
    if (now >= nextExpiry) nextExpiry = expireTickets(agenda, now);
  };
  return {
    reserve(call) {
      expire(call.now);
      sweep(call.now);
      const open = findOpen(counts, call);
      const shortfall = findShortfall(open, call);
      if (shortfall) return shortfall;
      const ticket = openTicket(counts, open, call);
      enter(agenda, ticket);
      nextExpiry = Math.min(nextExpiry, call.expiresAt);
      return ticket;
    },
    settle(ticket, real, now) {
      expire(now);
      const open = ticket as OpenTicket; // made by `reserve` above: the port asks for the very object
      if (open.state === "closed") return { isFirst: false, standings: [] };
      return settleTicket(agenda, open, real);
    },
    narrow(ticket, real, now) {
      expire(now);
      const open = ticket as OpenTicket;
      if (open.state === "closed") return false;
      narrowTicket(open, real);
      return true;
    },
    release(ticket, now) {
      expire(now);
      const open = ticket as OpenTicket;
      if (open.state === "closed") return false;
      giveBack(open);
      close(agenda, open);
      return true;
    },
    read(names, now) {
      expire(now);
      return names.map((name) => readCount(counts.get(name), now));
    },
    restore(standings, now) {
      for (const standing of standings) restoreCount(counts, standing, now);
    },
  };
}

/** The counters of a call's holds whose windows are open. */
function findOpen(counts: ReadonlyMap<string, Count>, { holds, now }: ReserveCall): (Count | undefined)[] {
  const open: (Count | undefined)[] = [];
  for (const { counter } of holds) {
    const count = counts.get(counter);
    open.push(count && now < count.end ? count : undefined);
  }
  return open;
}

function findShortfall(open: readonly (Count | undefined)[], { holds }: ReserveCall): Shortfall | undefined {
  for (let position = 0; position < holds.length; position++) {
    const { limit, amount, opens } = holds[position] as Hold;
    const count = open[position];
    const left = count ? limit - count.used - count.reserved : limit;
    if (amount > left) return { kind: "shortfall", position, left: Math.max(0, left), resetsAt: (count ?? opens).end };
  }
  return undefined;
}

/** Reserves what fits; opens the windows that are not open. */
function openTicket(
  known: Map<string, Count>,
  open: readonly (Count | undefined)[],
  { ticket, holds, expiresAt }: ReserveCall,
): OpenTicket {
  const counts: Count[] = [];
  const held: Held[] = [];
  for (let position = 0; position < holds.length; position++) {
    const { counter, amount, limit, opens } = holds[position] as Hold;
    const count = open[position] ?? openCount(known, counter, opens);
    counts.push(count);
    count.reserved += amount;
    held.push({ counter, amount, window: count.window, left: limit - count.used - count.reserved });
  }
  return { kind: "ticket", id: ticket, expiresAt, held, holds, counts, state: "open", place: 0 };
}

/** A fresh object, so that tickets of the window before still find theirs. */
function openCount(counts: Map<string, Count>, counter: string, window: Window): Count {
  const { start, end } = window;
  const count = { counter, start, end, window, used: 0, reserved: 0 };
  counts.set(counter, count);
  return count;
}

function settleTicket(agenda: Agenda, ticket: OpenTicket, real: readonly number[]): Settlement {
  giveBack(ticket);
  const { counts } = ticket;
  for (let position = 0; position < counts.length; position++) {
    (counts[position] as Count).used += real[position] ?? 0;
  }
  close(agenda, ticket);
  return { isFirst: true, standings: counts };
}

/** What was spent stays whether or not the ticket lapses, as hard amounts do. */
function narrowTicket(ticket: OpenTicket, real: readonly number[]): void {
  giveBack(ticket);
  ticket.holds = ticket.holds.map((hold, position) => ({ ...hold, amount: real[position] ?? 0, isHard: true }));
  for (const [position, { amount }] of ticket.holds.entries()) (ticket.counts[position] as Count).reserved += amount;
}

/** Takes what is still reserved off: all of an open ticket, the hard holds of a lapsed one. */
function giveBack({ counts, holds, state }: OpenTicket): void {
  for (let position = 0; position < holds.length; position++) {
    const { isHard, amount } = holds[position] as Hold;
    if (state === "open" || isHard) (counts[position] as Count).reserved -= amount;
  }
}

function enter(agenda: Agenda, ticket: OpenTicket): void {
  const second = Math.floor(ticket.expiresAt / 1_000);
  const due = agenda.get(second) ?? [];
  if (due.length === 0) agenda.set(second, due);
  ticket.place = due.length;
  due.push(ticket);
}

function close(agenda: Agenda, ticket: OpenTicket): void {
  if (ticket.state === "open") {
    const second = Math.floor(ticket.expiresAt / 1_000);
    const due = agenda.get(second);
    if (due) strike(due, ticket);
    if (due?.length === 0) agenda.delete(second);
  }
  ticket.state = "closed";
}

/** Takes a ticket off its list; the last one moves to its place. */
function strike(due: OpenTicket[], ticket: OpenTicket): void {
  const last = due.pop();
  if (!last || last === ticket) return;
  last.place = ticket.place;
  due[last.place] = last;
}

/** Lets the tickets lapse whose time has come; returns when to look again. */
function expireTickets(agenda: Agenda, now: number): number {
  let next = Infinity;
  for (const [second, due] of agenda) {
    if (second * 1_000 > now) {
      next = Math.min(next, second * 1_000);
      continue;
    }
    for (const ticket of [...due]) {
      if (ticket.expiresAt > now) next = Math.min(next, ticket.expiresAt);
      else lapse(ticket, due);
    }
    if (due.length === 0) agenda.delete(second);
  }
  return next;
}

function lapse(ticket: OpenTicket, due: OpenTicket[]): void {
  for (const [position, hold] of ticket.holds.entries()) {
    if (!hold.isHard) (ticket.counts[position] as Count).reserved -= hold.amount;
  }
  ticket.state = "lapsed";
  strike(due, ticket);
}

function readCount(count: Count | undefined, now: number): Reading | undefined {
  if (!count || now >= count.end) return undefined;
  const { counter, start, end, used, reserved } = count;
  return { counter, start, end, used, reserved };
}

function restoreCount(counts: Map<string, Count>, { counter, start, end, used }: Standing, now: number): void {
  if (now >= end) return;
  const count = counts.get(counter);
  if (count && count.start === start) count.used = used;
  else openCount(counts, counter, { start, end }).used = used;
}

/** A look at the next few counters with every call, round and round, so that those of keys that went silent are dropped. */
function createSweep(counts: Map<string, Count>): (now: number) => void {
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
