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
} from "../../src/ports/counters.ts";

/** A counter in its present window. Given out as a live {@link Standing}. */
interface Count extends Standing {
  start: number;
  end: number;
  used: number;
  reserved: number;
}

/** `lapsed`: expired, and neither settled nor released yet. */
type TicketState = "open" | "lapsed" | "closed";

/** A ticket with what stands behind it. */
interface OpenTicket extends Ticket {
  readonly counts: readonly Count[];
  readonly holds: readonly Hold[];
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
      const shortfall = findShortfall(counts, call);
      if (shortfall) return shortfall;
      const ticket = openTicket(counts, call);
      enter(agenda, ticket);
      nextExpiry = Math.min(nextExpiry, call.expiresAt);
      return ticket;
    },
    settle(ticket, real, now) {
      expire(now);
      const open = ticket as OpenTicket; // made by `reserve` above: the port asks for the very object
      if (open.state === "closed") return { isFirst: false, standings: [] };
      return settleTicket(open, real, { agenda, now });
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

function findShortfall(counts: ReadonlyMap<string, Count>, { holds, now }: ReserveCall): Shortfall | undefined {
  for (let position = 0; position < holds.length; position++) {
    const hold = holds[position] as Hold;
    const count = counts.get(hold.counter);
    const isOpen = count !== undefined && now < count.end;
    const left = isOpen ? hold.limit - count.used - count.reserved : hold.limit;
    if (hold.amount <= left) continue;
    return { kind: "shortfall", position, left: Math.max(0, left), resetsAt: isOpen ? count.end : hold.opens.end };
  }
  return undefined;
}

function openTicket(counts: Map<string, Count>, { ticket, holds, now, expiresAt }: ReserveCall): OpenTicket {
  const reserved = holds.map((hold) => reserveHold(counts, hold, now));
  const held = holds.map((hold, position) => holdOf(hold, reserved[position] as Count));
  return { kind: "ticket", id: ticket, expiresAt, held, holds, counts: reserved, state: "open", place: 0 };
}

function reserveHold(counts: Map<string, Count>, { counter, amount, opens }: Hold, now: number): Count {
  let count = counts.get(counter);
  if (!count || now >= count.end) {
    // A fresh object, so that tickets of the window before still find theirs.
    count = { counter, start: opens.start, end: opens.end, used: 0, reserved: 0 };
    counts.set(counter, count);
  }
  count.reserved += amount;
  return count;
}

function holdOf({ counter, amount, limit }: Hold, { start, end, used, reserved }: Count): Held {
  return { counter, amount, window: { start, end }, left: limit - used - reserved };
}

/** What settling acts on beside the ticket. */
interface Books {
  readonly agenda: Agenda;
  readonly now: number;
}

function settleTicket(ticket: OpenTicket, real: readonly number[], { agenda, now }: Books): Settlement {
  giveBack(ticket);
  const standings: Standing[] = [];
  for (const [position, count] of ticket.counts.entries()) {
    count.used += real[position] ?? 0;
    if (now < count.end) standings.push(count);
  }
  close(agenda, ticket);
  return { isFirst: true, standings };
}

/** Takes what is still reserved off: all of an open ticket, the hard holds of a lapsed one. */
function giveBack({ counts, holds, state }: OpenTicket): void {
  for (const [position, hold] of holds.entries()) {
    if (state === "open" || hold.isHard) (counts[position] as Count).reserved -= hold.amount;
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
  return count && now < count.end ? { ...count } : undefined;
}

function restoreCount(counts: Map<string, Count>, { counter, start, end, used }: Standing, now: number): void {
  if (now >= end) return;
  const count = counts.get(counter);
  if (count && count.start === start) count.used = used;
  else counts.set(counter, { counter, start, end, used, reserved: 0 });
}

/** A look at the next few counters with every call, round and round, so that those of keys that went silent are dropped. */
function createSweep(counts: Map<string, Count>): (now: number) => void {
  let round = counts.entries();
  return (now) => {
    for (let looks = 0; looks < sweepsPerCall; looks++) {
      const { value, done } = round.next();
      if (done) {
        round = counts.entries();
        return;
      }
      if (now >= value[1].end) counts.delete(value[0]);
    }
  };
}
