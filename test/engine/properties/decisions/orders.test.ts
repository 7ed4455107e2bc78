import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSettled, meanOf, ordersOf } from "../../../../src/engine/decisions/orders.ts";

const count = fc.integer({ min: 1, max: 20 });

describe("orders of options", () => {
  it("are permutations, all different, the first as it is and the second reversed", () => {
    fc.assert(
      fc.property(count, fc.integer({ min: 1, max: 40 }), (options, most) => {
        const orders = ordersOf(options, most);
        const own = Array.from({ length: options }, (_, at) => at);
        for (const order of orders) expect([...order].sort((one, other) => one - other)).toEqual(own);
        expect(new Set(orders.map(String)).size).toBe(orders.length);
        expect(orders[0]).toEqual(own);
        if (most > 1 && options > 1) expect(orders[1]).toEqual(own.toReversed());
      }),
    );
  });

  it("are all rotations of both directions where so many are allowed: each option in each place as often", () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 20 }), (options) => {
        const orders = ordersOf(options, 40);
        expect(orders).toHaveLength(2 * options);
        for (let place = 0; place < options; place++)
          for (let option = 0; option < options; option++)
            expect(orders.filter((order) => order[place] === option)).toHaveLength(2);
      }),
    );
  });
});

describe("reading orders", () => {
  const readings = fc.array(
    fc.double({ min: 0, max: 1, noNaN: true }).map((yes) => [yes, 1 - yes]),
    { minLength: 2, maxLength: 12 },
  );

  it("stops only where the rest could not move the mean by more than two hundredths, within the spread so far", () => {
    fc.assert(
      fc.property(readings, fc.integer({ min: 1, max: 12 }), (read, more) => {
        const planned = read.length + more;
        if (!isSettled(read, planned)) return;
        const yes = read.map(([first = 0]) => first);
        const spread = Math.max(...yes) - Math.min(...yes);
        const [mean = 0] = meanOf(read);
        const furthest = (mean * read.length + (mean + spread) * more) / planned;
        expect(Math.abs(furthest - mean)).toBeLessThanOrEqual(0.02 + 1e-9);
      }),
    );
  });

  it("never stops after one of several, and always after all", () => {
    fc.assert(
      fc.property(readings, (read) => {
        expect(isSettled(read.slice(0, 1), 2)).toBe(false);
        expect(isSettled(read, read.length)).toBe(true);
      }),
    );
  });
});
