import fc from "fast-check";
import { expect } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import type { Budget } from "../../../../src/engine/api/governance.ts";
import { type Limit, type LimitedOwner, listLimits } from "../../../../src/engine/policy/limit.ts";
import {
  chargeReservation,
  planReservation,
  type Reservation,
} from "../../../../src/engine/policy/limits-reservation.ts";
import type { CounterReservation, Counters, Shortfall } from "../../../../src/engine/ports/counters.ts";

// Two keys of one project of one customer, with two providers each: budgets nest and are shared at every level.

const durations = ["1m", "1d", "1M"] as const;
const anyBudget: fc.Arbitrary<Budget> = fc.record({
  max_limit: fc.integer({ min: 5, max: 30 }).map((cents) => cents / 100),
  reset_duration: fc.constantFrom(...durations),
  calendar_aligned: fc.boolean(),
  enforcement: fc.constantFrom("hard" as const, "soft" as const),
});
const anyBudgets = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Budget[]>([]) },
  { weight: 1, arbitrary: fc.array(anyBudget, { maxLength: 2 }) },
);
/** Budgets for every owner. */
export const anyHierarchy = fc.record({
  entries: fc.tuple(anyBudgets, anyBudgets, anyBudgets, anyBudgets),
  keys: fc.tuple(anyBudgets, anyBudgets),
  project: anyBudgets,
  customer: anyBudgets,
});
/** One set of nested budgets. */
export type Hierarchy = typeof anyHierarchy extends fc.Arbitrary<infer Value> ? Value : never;

const nano = 10_000_000; // a cent
/** What may happen next. */
export const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      /** Which of the four entries. */
      entry: fc.nat(3),
      hard: fc.integer({ min: 1, max: 15 }),
      soft: fc.integer({ min: 1, max: 15 }),
      /** The real cost, in hundredths of the hard bound: never over it. */
      real: fc.oneof(fc.constant(100), fc.integer({ min: 0, max: 100 })),
      livesFor: fc.integer({ min: 1, max: 40_000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("settle" as const), which: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("narrow" as const), which: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("release" as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 100_000 }) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** An admitted call. */
export interface Admitted {
  readonly reservation: Reservation;
  readonly ticket: CounterReservation;
  readonly real: number;
  readonly expiresAt: number;
  /** Its real cost is known, and reserved in place of the bound. */
  isNarrowed: boolean;
  end: "settled" | "released" | undefined;
}

/** A call that was refused. */
export interface Refused {
  readonly reservation: Reservation;
  readonly shortfall: Shortfall;
  /** What was charged and held when it was refused, by counter. */
  readonly held: ReadonlyMap<string, number>;
}

/** What happened, told by the tickets alone: counters are not asked. */
export interface Story {
  readonly counters: Counters;
  readonly limits: readonly Limit[];
  readonly admitted: Admitted[];
  readonly refused: Refused[];
  /** For each counter and window the calls that were under way when the last one was admitted there. */
  readonly underWay: Map<string, readonly Admitted[]>;
  now: number;
}

function limitsOf({ entries, keys, project, customer }: Hierarchy): readonly (readonly Limit[])[] {
  const owner = (level: LimitedOwner["level"], name: string, budgets: readonly Budget[]): LimitedOwner => ({
    level,
    owner: name,
    budgets,
    rate_limits: [],
  });
  return entries.map((budgets, position) => {
    const key = position < 2 ? 0 : 1;
    return listLimits([
      owner("entry", `key${key}/provider${position % 2}`, budgets),
      owner("key", `key${key}`, keys[key] ?? []),
      owner("project", "project", project),
      owner("customer", "customer", customer),
    ]);
  });
}

/** A counter in one of its windows. */
export function nameWindow(counter: string, start: number): string {
  return `${counter} from ${start}`;
}

/** Amounts that count in the windows that are open now: real ones, and the held ones of calls that may still be under way. */
export function holdNow({ admitted, now }: Story): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { ticket, reservation, real, end, expiresAt, isNarrowed } of admitted) {
    if (end === "released") continue;
    for (const [position, { counter, amount, window }] of ticket.held.entries()) {
      if (now >= window.end) continue;
      const isHeld = now < expiresAt || reservation.limits[position]?.isHard;
      sums.set(counter, (sums.get(counter) ?? 0) + (end === "settled" || isNarrowed ? real : isHeld ? amount : 0));
    }
  }
  return sums;
}

function call(story: Story, limits: readonly Limit[], step: Extract<Step, { kind: "call" }>): void {
  const bounds = { cost: { hard: step.hard * nano, soft: step.soft * nano }, tokens: 0, counting: "all" as const };
  const expiresAt = story.now + step.livesFor;
  const ticketName = `t${story.admitted.length}`;
  const reservation = planReservation(limits, bounds, { reservationId: ticketName, now: story.now, expiresAt });
  const held = holdNow(story);
  const answer = story.counters.reserve(reservation.call) as CounterReservation | Shortfall;
  if (answer.kind === "shortfall") {
    story.refused.push({ reservation, shortfall: answer, held });
    return;
  }
  const real = Math.floor((step.hard * nano * step.real) / 100);
  story.admitted.push({ reservation, ticket: answer, real, expiresAt, isNarrowed: false, end: undefined });
  for (const { counter, window } of answer.held) {
    const name = nameWindow(counter, window.start);
    const here = story.admitted.filter(
      (one) =>
        one.end === undefined && one.ticket.held.some((hold) => nameWindow(hold.counter, hold.window.start) === name),
    );
    story.underWay.set(name, here);
  }
}

function chargesOf({ reservation, real }: Admitted): readonly number[] {
  return chargeReservation(reservation, { cost: real, tokens: 0, requests: 1 });
}

function narrow({ counters, now }: Story, admitted: Admitted): void {
  expect(counters.reduce?.(admitted.ticket, chargesOf(admitted), now)).toBe(admitted.end === undefined);
  admitted.isNarrowed = true;
}

/** Settles a call, perhaps once more. */
export function settle({ counters, now }: Story, admitted: Admitted): void {
  const { isFirst } = counters.settle(admitted.ticket, chargesOf(admitted), now) as { isFirst: boolean };
  expect(isFirst).toBe(admitted.end === undefined);
  admitted.end ??= "settled";
}

/** Releases a call, perhaps once more. */
export function release({ counters, now }: Story, admitted: Admitted): void {
  expect(counters.release(admitted.ticket, now)).toBe(admitted.end === undefined);
  admitted.end ??= "released";
}

const ends = { narrow, settle, release };

/** Lets it all happen. */
export function play(hierarchy: Hierarchy, steps: readonly Step[]): Story {
  const limits = limitsOf(hierarchy);
  const story: Story = {
    counters: memoryCounters(),
    limits: limits.flat(),
    admitted: [],
    refused: [],
    underWay: new Map(),
    now: Date.UTC(2026, 1, 28, 23, 58),
  };
  for (const step of steps) {
    if (step.kind === "wait") story.now += step.ms;
    else if (step.kind === "call") call(story, limits[step.entry] ?? [], step);
    else {
      const admitted = story.admitted[story.admitted.length - 1 - step.which];
      if (admitted) ends[step.kind](story, admitted);
    }
  }
  return story;
}

/** Real spending by counter and window, of the calls that were settled. */
export function spendingOf({ admitted }: Story): Map<string, { spent: number; limit: Limit }> {
  const sums = new Map<string, { spent: number; limit: Limit }>();
  for (const { ticket, reservation, real, end } of admitted) {
    if (end !== "settled") continue;
    for (const [position, { counter, window }] of ticket.held.entries()) {
      const name = nameWindow(counter, window.start);
      const limit = reservation.limits[position] as Limit;
      sums.set(name, { spent: (sums.get(name)?.spent ?? 0) + real, limit });
    }
  }
  return sums;
}
