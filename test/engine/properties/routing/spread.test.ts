import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderBySession, orderByWeight } from "../../../../src/engine/routing/index.ts";

interface Candidate {
  readonly id: string;
  readonly weight: number;
}

const anyWeight = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 6 }) }, fc.constant(0));
const anyCandidates = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  .chain((ids) =>
    fc
      .array(anyWeight, { minLength: ids.length, maxLength: ids.length })
      .map((weights) => ids.map((id, n): Candidate => ({ id, weight: weights[n] as number }))),
  );
const anyDraw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const anySession = fc.string({ maxLength: 12 });
const totalOf = (candidates: readonly Candidate[]) => candidates.reduce((sum, { weight }) => sum + weight, 0);
const idsOf = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id);

describe.each([
  ["orderByWeight", fc.oneof(anyDraw, anyDraw).map((draw) => (all: readonly Candidate[]) => orderByWeight(all, draw))],
  ["orderBySession", anySession.map((session) => (all: readonly Candidate[]) => orderBySession(all, session))],
])("%s", (_name, anyOrderer) => {
  it("names every candidate exactly once", () =>
    fc.assert(
      fc.property(anyCandidates, anyOrderer, (candidates, order) => {
        expect(idsOf(order(candidates)).sort()).toEqual(idsOf(candidates).sort());
      }),
    ));
  it("puts those without weight last, as they are listed", () =>
    fc.assert(
      fc.property(anyCandidates, anyOrderer, (candidates, order) => {
        const weightless = candidates.filter(({ weight }) => weight === 0);
        expect(order(candidates).slice(candidates.length - weightless.length)).toEqual(weightless);
      }),
    ));
  it("leaves the list that it was given as it was", () =>
    fc.assert(
      fc.property(anyCandidates, anyOrderer, (candidates, order) => {
        const before = [...candidates];
        order(candidates);
        expect(candidates).toEqual(before);
      }),
    ));
});

describe("orderByWeight, over all draws", () => {
  /** The middles of `parts` equal parts of [0, 1): each stands for its part when no boundary lies inside one. */
  const draws = (parts: number) => Array.from({ length: parts }, (_, n) => (n + 0.5) / parts);

  it("gives the first place exactly in proportion to the weights", () =>
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const total = totalOf(candidates);
        fc.pre(total > 0);
        const firsts = draws(total).map((draw) => orderByWeight(candidates, draw)[0]?.id);
        for (const { id, weight } of candidates) expect(firsts.filter((first) => first === id).length).toBe(weight);
      }),
    ));
  it("gives the second place exactly in proportion to the weights of those left", () =>
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const heavy = candidates.filter(({ weight }) => weight > 0);
        fc.pre(heavy.length > 1);
        const total = totalOf(heavy);
        const [winner] = heavy as [Candidate, ...Candidate[]];
        const left = total - winner.weight;
        // The first listed candidate wins for draws below its share; inside it, the rest of the draw decides.
        const seconds = draws(left).map((part) => orderByWeight(candidates, (part * winner.weight) / total)[1]?.id);
        for (const { id, weight } of heavy.slice(1))
          expect(seconds.filter((second) => second === id).length).toBe(weight);
      }),
    ));
  it("takes a missing weight for 1", () => {
    const order = draws(4).map((draw) => orderByWeight([{ id: "a" }, { id: "b", weight: 3 }], draw)[0]?.id);
    expect(order).toEqual(["a", "b", "b", "b"]);
  });
  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("takes the weight %d for none", (weight) => {
    const [none, one, two] = [
      { id: "none", weight },
      { id: "one", weight: 1 },
      { id: "two", weight: 2 },
    ] as const;
    for (const listed of [[none, one, two] as const, [one, two, none] as const])
      for (const draw of draws(9)) {
        const order = orderByWeight(listed, draw).map(({ id }) => id);
        expect(order).toEqual(draw < 1 / 3 ? ["one", "two", "none"] : ["two", "one", "none"]);
      }
  });
});

describe("orderBySession", () => {
  it("is the same for a session, however the candidates are listed", () =>
    fc.assert(
      fc.property(
        anyCandidates.chain((all) => {
          const heavy = all.filter(({ weight }) => weight > 0);
          return fc.tuple(fc.constant(heavy), fc.shuffledSubarray(heavy, { minLength: heavy.length }));
        }),
        anySession,
        ([listed, shuffled], session) => {
          expect(orderBySession(shuffled, session)).toEqual(orderBySession(listed, session));
        },
      ),
    ));
  it("keeps the order of the others when one is taken away", () =>
    fc.assert(
      fc.property(anyCandidates, anySession, fc.nat(), (candidates, session, n) => {
        const gone = candidates[n % candidates.length];
        const before = orderBySession(candidates, session).filter((candidate) => candidate !== gone);
        const after = orderBySession(
          candidates.filter((candidate) => candidate !== gone),
          session,
        );
        expect(after).toEqual(before);
      }),
    ));
  it("spreads sessions by weight", () => {
    const candidates = [
      { id: "a", weight: 1 },
      { id: "b", weight: 2 },
      { id: "c", weight: 5 },
    ];
    const sessions = 40_000;
    const firsts = Array.from({ length: sessions }, (_, n) => orderBySession(candidates, `session-${n}`)[0]?.id);
    for (const { id, weight } of candidates) {
      const share = firsts.filter((first) => first === id).length / sessions;
      // Four standard deviations of a fair draw.
      expect(Math.abs(share - weight / 8)).toBeLessThan(4 * Math.sqrt(((weight / 8) * (1 - weight / 8)) / sessions));
    }
  });
  it("spreads the sessions of one candidate over the others, by weight, when it is taken away", () => {
    const candidates = ["a", "b", "c", "d"].map((id) => ({ id, weight: 1 }));
    const orders = Array.from({ length: 40_000 }, (_, n) => orderBySession(candidates, `${n}`));
    const seconds = orders.filter(([first]) => first?.id === "a").map(([, second]) => second?.id);
    for (const id of ["b", "c", "d"]) {
      const share = seconds.filter((second) => second === id).length / seconds.length;
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.02);
    }
  });
});
