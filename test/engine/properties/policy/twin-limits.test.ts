import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import type { Budget } from "../../../../src/engine/api/governance.ts";
import { type Limit, listLimits, separateShared } from "../../../../src/engine/policy/limit.ts";
import { usageOfLimits } from "../../../../src/engine/policy/limit-usage.ts";
import {
  chargeReservation,
  planReservation,
  refuseShortfall,
} from "../../../../src/engine/policy/limits-reservation.ts";
import type { CounterReading, CounterReservation, Shortfall } from "../../../../src/engine/ports/counters.ts";

// Budgets of one owner that agree in window and alignment, while they are added, removed, reordered and changed.

const cent = 10_000_000;
const anyBudget: fc.Arbitrary<Budget> = fc.record({
  max_limit: fc.integer({ min: 5, max: 30 }).map((cents) => cents / 100),
  reset_duration: fc.constantFrom("1d" as const, "1M" as const),
  calendar_aligned: fc.boolean(),
  enforcement: fc.constantFrom("hard" as const, "soft" as const),
});
const anyEdit = fc.record({ kind: fc.constant("edit" as const), budgets: fc.array(anyBudget, { maxLength: 4 }) });
const anyCall = fc.record({
  kind: fc.constant("call" as const),
  soft: fc.integer({ min: 0, max: 6 }),
  more: fc.integer({ min: 0, max: 6 }),
  /** The real cost, in hundredths of the hard bound. */
  real: fc.integer({ min: 0, max: 100 }),
});
const anySettle = fc.record({ kind: fc.constant("settle" as const), which: fc.nat(3) });
const anySteps = fc.array(
  fc.oneof({ weight: 1, arbitrary: anyEdit }, { weight: 4, arbitrary: anyCall }, { weight: 3, arbitrary: anySettle }),
  { minLength: 4, maxLength: 30 },
);
type Step = typeof anySteps extends fc.Arbitrary<(infer Value)[]> ? Value : never;

interface UnderWay {
  readonly reservationId: CounterReservation;
  readonly reservation: ReturnType<typeof planReservation>;
  readonly real: number;
}

/** All within one day, so that no window ends: what is counted where is told by the settled calls alone. */
function openStory() {
  const counters = memoryCounters();
  const now = Date.UTC(2026, 10, 18, 12);
  const underWay: UnderWay[] = [];
  const spent = new Map<string, number>();
  const story = { counters, now, underWay, limits: [] as readonly Limit[], calls: 0 };
  return {
    story,
    spentOf: (counter: string) => spent.get(counter) ?? 0,
    heldOf: (counter: string) =>
      underWay
        .flatMap(({ reservationId }) => reservationId.held)
        .reduce((sum, held) => sum + (held.counter === counter ? held.amount : 0), 0),
    settle(which: number) {
      const [call] = underWay.splice(which, 1);
      if (!call) return;
      counters.settle(
        call.reservationId,
        chargeReservation(call.reservation, { requests: 1, tokens: 0, cost: call.real }),
        now,
      );
      for (const { counter } of call.reservationId.held) spent.set(counter, (spent.get(counter) ?? 0) + call.real);
    },
  };
}

type Story = ReturnType<typeof openStory>;

function setBudgets({ story }: Story, budgets: readonly Budget[]): void {
  story.limits = listLimits([{ level: "key", owner: "vk_1", budgets, rate_limits: [] }]);
}

/** Asks for a call; gives what each limit as it was set must say to it. */
function ask(told: Story, { soft, more, real }: Extract<Step, { kind: "call" }>) {
  const { story } = told;
  const cost = { hard: (soft + more) * cent, soft: soft * cent };
  const terms = { reservationId: `t${story.calls++}`, now: story.now, expiresAt: Infinity };
  const reservation = planReservation(story.limits, { cost, tokens: 0, counting: "all" }, terms);
  const rooms = separateShared(story.limits).map((limit) => {
    const left = limit.max - told.spentOf(limit.counter) - told.heldOf(limit.counter);
    return { limit, left, fits: (limit.isHard ? cost.hard : cost.soft) <= left };
  });
  const outcome = story.counters.reserve(reservation.call) as CounterReservation | Shortfall;
  if (outcome.kind === "reserved")
    story.underWay.push({ reservationId: outcome, reservation, real: Math.floor((cost.hard * real) / 100) });
  return { reservation, rooms, outcome };
}

function play(steps: readonly Step[], look: (told: Story, step: Step, asked?: ReturnType<typeof ask>) => void): void {
  const told = openStory();
  for (const step of steps) {
    if (step.kind === "edit") setBudgets(told, step.budgets);
    if (step.kind === "settle") told.settle(step.which);
    look(told, step, step.kind === "call" ? ask(told, step) : undefined);
  }
}

describe("limits of one owner that count the same", () => {
  it("admit a call when it fits each of them, and only then; what came before one was added counts for it", () => {
    fc.assert(
      fc.property(anySteps, (steps) =>
        play(steps, (_told, _step, asked) => {
          if (asked) expect(asked.outcome.kind === "reserved").toBe(asked.rooms.every(({ fits }) => fits));
        }),
      ),
      { numRuns: 600 },
    );
  });

  it("refuse by the name of one that has no room, and tell what that one leaves", () => {
    fc.assert(
      fc.property(anySteps, (steps) =>
        play(steps, (_told, _step, asked) => {
          if (asked?.outcome.kind !== "shortfall") return;
          const refusal = refuseShortfall(asked.reservation, asked.outcome);
          const named = asked.rooms.filter(({ limit }) => limit === refusal.limit);
          expect(named).toMatchObject([{ fits: false }]);
          expect(refusal.left).toBe(Math.max(0, named[0]?.left ?? -1));
        }),
      ),
      { numRuns: 600 },
    );
  });

  it("stand alike, each with its own maximum: no edit of one takes from another what it has used", () => {
    fc.assert(
      fc.property(anySteps, (steps) =>
        play(steps, ({ story, spentOf, heldOf }) => {
          const names = story.limits.map(({ counter }) => counter);
          const readings = story.counters.read(names, story.now) as readonly (CounterReading | undefined)[];
          const standings = usageOfLimits(story.limits, readings, story.now);
          const expected = separateShared(story.limits).map(({ counter, max, isHard }) => {
            return { max_nano: max, is_hard: isHard, used_nano: spentOf(counter), reserved_nano: heldOf(counter) };
          });
          expect(standings).toMatchObject(expected);
        }),
      ),
      { numRuns: 600 },
    );
  });
});
