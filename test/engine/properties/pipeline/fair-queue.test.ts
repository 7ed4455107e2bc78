import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anySteps,
  codeOf,
  cost,
  createWorld,
  gone,
  maxWaitMs,
  play,
  settings,
  settled,
  sum,
} from "./fair-queue-world.ts";

describe("createFairQueue", () => {
  it("never has more under way than its capacity, but one alone that is larger; and counts exactly", () =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        await play(steps, ({ queue, in: of }) => {
          const held = of("under way");
          expect(queue.underWay).toBe(sum(held));
          expect(queue.waiting).toBe(of("waiting").length);
          if (held.length > 1) expect(queue.underWay).toBeLessThanOrEqual(settings.capacity);
        });
      }),
    ));

  it("keeps its reserve for lanes with nothing under way", () =>
    fc.assert(
      fc.asyncProperty(fc.array(cost, { minLength: 1, maxLength: 20 }), async (costs) => {
        const world = createWorld({ maxWaiting: 100 });
        for (const each of costs) world.enter("greedy", Math.min(each, 6));
        expect(world.queue.underWay).toBeLessThanOrEqual(settings.capacity - settings.reserve);
        expect(world.enter("other", settings.reserve).state).toBe("under way");
      }),
    ));

  it("lets nobody wait beyond the deadline, and refuses with `concurrency_limited` and a time to come back", () =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const world = await play(steps, ({ in: of, time }) => {
          for (const { enteredAt } of of("waiting")) expect(time.now - enteredAt).toBeLessThan(maxWaitMs);
        });
        world.time.pass(maxWaitMs);
        await settled();
        expect(world.in("waiting")).toEqual([]);
        expect(world.time.timers.size).toBe(0);
        for (const { error } of world.in("failed"))
          if (error !== gone) expect(error).toMatchObject({ code: "concurrency_limited", retryAfterMs: 1_000 });
      }),
    ));

  it("leaks no place under any order of ends, hang-ups and deadlines, and leaves nobody waiting beside free room", () =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const world = await play(steps, ({ queue, in: of, heldBy }) => {
          const first = of("waiting")[0];
          if (!first) return;
          expect(queue.underWay).toBeGreaterThan(0);
          if (of("waiting").length > 1) return;
          const room = heldBy(first.lane) === 0 ? settings.capacity : settings.capacity - settings.reserve;
          expect(queue.underWay + first.cost).toBeGreaterThan(room);
        });
        for (let ends = 0; world.queue.underWay > 0; ends++) {
          expect(ends).toBeLessThan(100);
          world.leave(world.in("under way")[0]);
          await settled();
        }
        expect(world.queue.waiting).toBe(0);
        expect(world.enter("e", 14).state).toBe("under way");
      }),
    ));

  it("serves a lane in the order in which its entries came", () =>
    fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const world = await play(steps, () => {});
        for (const name of ["a", "b", "c", "d"]) {
          const order = world.admitted
            .filter((entry) => entry.lane === name)
            .map((entry) => world.entries.indexOf(entry));
          expect(order).toEqual([...order].sort((one, other) => one - other));
        }
      }),
    ));

  it("starves no lane: whatever others have waiting, its first entry waits for first entries of lanes before it only", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          greedy: fc.integer({ min: 20, max: 300 }),
          others: fc.integer({ min: 0, max: 5 }),
          cost: fc.integer({ min: 1, max: 6 }),
        }),
        async ({ greedy, others, cost: each }) => {
          const world = createWorld({ maxWaiting: 10_000 });
          for (let n = 0; n < greedy; n++) world.enter("greedy", each);
          for (let n = 0; n < others; n++) {
            world.enter(`other ${n}`, 4);
            world.enter(`other ${n}`, 4);
          }
          const late = world.enter("late", 1);
          for (let ends = 0; late.state === "waiting"; ends++) {
            expect(ends).toBeLessThan(400);
            world.leave(world.in("under way")[0]);
            await settled();
          }
          const before = world.admitted.slice(0, late.waiting ? world.admitted.indexOf(late) : 0);
          const seconds = before.filter(({ lane: name }, at) => before.findIndex((entry) => entry.lane === name) < at);
          expect(seconds).toEqual([]);
          expect(before.length).toBeLessThanOrEqual(others + 1);
        },
      ),
    ));

  it("shares among lanes that wait all the time: each gets as much as another, but for a quantum and an entry", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          cost.filter((n) => n <= 5),
          { minLength: 2, maxLength: 4 },
        ),
        fc.integer({ min: 20, max: 120 }),
        async (costs, ends) => {
          const world = createWorld({ maxWaiting: 100_000, reserve: 0, capacity: 30 });
          const kept = new Set(costs.map((each, n) => world.enter(`l${n}`, each))); // so that all stay in the round
          for (const [n, each] of costs.entries()) for (let count = 0; count < 400; count++) world.enter(`l${n}`, each);
          for (let end = 0; end < ends; end++) {
            world.leave(world.in("under way").find((entry) => !kept.has(entry)));
            await settled();
          }
          const taken = new Map<string, number>();
          for (const entry of world.admitted) taken.set(entry.lane, (taken.get(entry.lane) ?? 0) + entry.cost);
          const shares = costs.map((_, n) => taken.get(`l${n}`) ?? 0);
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2 * (settings.quantum + 5));
        },
      ),
    ));

  it("is bounded, and a lane that fills it leaves places for others", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 10, max: 60 }), async (maxWaiting, sent) => {
        const world = createWorld({ maxWaiting, capacity: 1, reserve: 0 });
        for (let n = 0; n < sent + maxWaiting; n++) world.enter("greedy", 1);
        expect(world.queue.waiting).toBe(Math.ceil(maxWaiting / 2));
        expect(new Set(world.in("failed").map(({ error }) => codeOf(error)))).toEqual(new Set(["concurrency_limited"]));
        for (let n = 0; n < 1_000; n++) world.enter(`other ${n}`, 1);
        expect(world.queue.waiting).toBeLessThanOrEqual(maxWaiting);
        if (maxWaiting > 1) expect(world.in("waiting").some(({ lane: name }) => name === "other 0")).toBe(true);
      }),
    ));

  it("gives back the place of one that gives up as it is admitted, and lets in those behind one that gives up", async () => {
    const { enter, leave, queue, in: of } = createWorld();
    const [first, large, small] = [enter("a", 1), enter("a", 6), enter("a", 1)];
    expect([large.state, small.state]).toEqual(["waiting", "waiting"]);
    large.waiting?.cancel(gone);
    await settled();
    expect(of("under way")).toEqual([first, small]);
    const late = enter("a", 6);
    leave(first);
    leave(small);
    late.waiting?.cancel(gone); // admitted, and has not heard of it
    await settled();
    expect(queue.underWay).toBe(0);
  });

  it("serves the one call of a second key next, behind 300 calls of a first one", async () => {
    const world = createWorld({ capacity: 2, reserve: 0, quantum: 1, maxWaiting: 1_000 });
    for (let n = 0; n < 300; n++) world.enter("first", 1);
    const second = world.enter("second", 1);
    world.leave(world.in("under way")[0]);
    await settled();
    expect(second.state).toBe("under way");
    expect(world.admitted).toEqual([second]);
  });
});
