import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Candidate,
  expectLatency,
  type Latency,
  measureLatency,
  type Order,
  orderCandidates,
} from "../../../../src/engine/routing/index.ts";

const now = 10_000_000;
const anyLatency: fc.Arbitrary<Latency> = fc.record({
  ms: fc.double({ min: 0, max: 60_000, noNaN: true }),
  at: fc.integer({ min: now - 3_600_000, max: now }),
});
const anyCandidates: fc.Arbitrary<readonly (Candidate & { readonly id: number })[]> = fc
  .array(
    fc.record({
      weight: fc.integer({ min: 0, max: 3 }),
      price: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
      latency: fc.option(anyLatency, { nil: undefined }),
    }),
    { maxLength: 6 },
  )
  .map((all) => all.map((candidate, id) => ({ ...candidate, id })));
const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const moment = { draw: 0.5, now };

describe("orderCandidates", () => {
  it.each<Order>(["given", "weight", "price", "latency"])("by %s names every candidate exactly once", (order) =>
    fc.assert(
      fc.property(anyCandidates, anyDraw, (candidates, draw) => {
        const ordered = orderCandidates(candidates, order, { draw, now });
        expect(ordered.map(({ id }) => id).sort()).toEqual(candidates.map(({ id }) => id).sort());
      }),
    ),
  );
  it("as given changes nothing", () =>
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        expect(orderCandidates(candidates, "given", moment)).toEqual(candidates);
      }),
    ));
  it("by price puts the cheapest first, unknown prices last, equals as listed", () =>
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const ordered = orderCandidates(candidates, "price", moment);
        for (const [n, next] of ordered.slice(1).entries()) {
          const before = ordered[n] as (typeof ordered)[number];
          if (before.price === undefined) expect(next.price).toBeUndefined();
          else if (next.price !== undefined) expect(before.price).toBeLessThanOrEqual(next.price);
          if (before.price === next.price) expect(before.id).toBeLessThan(next.id);
        }
      }),
    ));
  it("by latency puts the one expected to be fastest first, equals as listed", () =>
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const ordered = orderCandidates(candidates, "latency", moment);
        for (const [n, next] of ordered.slice(1).entries()) {
          const before = ordered[n] as (typeof ordered)[number];
          const [one, other] = [expectLatency(before.latency, now), expectLatency(next.latency, now)];
          expect(one).toBeLessThanOrEqual(other);
          if (one === other) expect(before.id).toBeLessThan(next.id);
        }
      }),
    ));
  it("by latency asks those first that were never measured", () => {
    const ordered = orderCandidates([{ latency: { ms: 1, at: now } }, {}], "latency", moment);
    expect(ordered[0]).toEqual({});
  });
});

describe("a measured latency", () => {
  const anySample = fc.double({ min: 0, max: 60_000, noNaN: true });
  const anyAge = fc.nat({ max: 3_600_000 });

  it("begins with the first sample", () => {
    expect(measureLatency(undefined, 300, now)).toEqual({ ms: 300, at: now });
  });
  it("lies between what was known and the new sample", () =>
    fc.assert(
      fc.property(anyLatency, anySample, anyAge, (known, sample, age) => {
        const { ms } = measureLatency(known, sample, known.at + age);
        expect(ms).toBeGreaterThanOrEqual(Math.min(known.ms, sample) - 1e-6);
        expect(ms).toBeLessThanOrEqual(Math.max(known.ms, sample) + 1e-6);
      }),
    ));
  it("moves at least a fifth of the way to a new sample, even within one millisecond", () =>
    fc.assert(
      fc.property(anyLatency, anySample, anyAge, (known, sample, age) => {
        const { ms } = measureLatency(known, sample, known.at + age);
        expect(Math.abs(ms - sample)).toBeLessThanOrEqual(Math.abs(known.ms - sample) * 0.8 + 1e-6);
      }),
    ));
  it("counts half of what was known after a minute, a quarter after two", () => {
    expect(measureLatency({ ms: 1_000, at: now }, 0, now + 60_000).ms).toBeCloseTo(500);
    expect(measureLatency({ ms: 1_000, at: now }, 0, now + 120_000).ms).toBeCloseTo(250);
  });
  it("is expected to be less the longer it was not renewed, so that who was slow is asked again", () =>
    fc.assert(
      fc.property(anyLatency, anyAge, anyAge, (known, one, other) => {
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)];
        expect(expectLatency(known, known.at + later)).toBeLessThanOrEqual(expectLatency(known, known.at + sooner));
      }),
    ));
  it("ten times slower is asked again within four minutes beside one that is measured all the time", () => {
    const slow = { name: "slow", latency: { ms: 5_000, at: now } };
    const fast = { name: "fast", latency: { ms: 500, at: now + 240_000 } };
    const first = (at: number) => orderCandidates([fast, slow], "latency", { draw: 0, now: at })[0]?.name;
    expect(orderCandidates([{ ...fast, latency: { ms: 500, at: now } }, slow], "latency", moment)[0]?.name).toBe(
      "fast",
    );
    expect(first(now + 240_000)).toBe("slow");
  });
  it("never runs backwards in time", () => {
    expect(measureLatency({ ms: 100, at: now }, 200, now - 5_000).at).toBe(now);
    expect(expectLatency({ ms: 100, at: now }, now - 5_000)).toBe(100);
  });
});
