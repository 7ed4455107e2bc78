import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, fromDollars, multiply, toDollars, toDollarsPerUnit, toRate } from "../../../src/engine/metering/money.ts";

/** Exact oracle: quantity × rate in pico-dollars, rounded half up to nano-dollars. */
function multiplyExactly(quantity: number, rate: number): bigint {
  return (BigInt(quantity) * BigInt(rate) + 500n) / 1_000n;
}

const quantity = fc.oneof(fc.integer({ min: 0, max: 2_000_000 }), fc.integer({ min: 0, max: 2 ** 40 }));
const rate = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.integer({ min: 0, max: 1_000_000 }).map((n) => n * 1_000_000_000),
);

describe("a rate", () => {
  it("is the decimal that the nearest double was written as, up to twelve digits behind the point", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000 * 10 ** 12 }), (picos) => {
        const digits = picos.toString().padStart(13, "0");
        return toRate(Number(`${digits.slice(0, -12)}.${digits.slice(-12)}`)) === picos;
      }),
    );
  });

  it.each([
    [2.5e-6, 2_500_000],
    [3.125e-8, 31_250],
    [5.46875e-7, 546_875],
    [1.50003e-5 + 1e-21, 15_000_300],
    [0.1 + 0.2, 300_000_000_000],
    [1_000, 1_000_000_000_000_000],
    [0, 0],
  ])("reads %d dollars as %d pico-dollars", (dollars, picos) => expect(toRate(dollars)).toBe(picos));

  it.each([-1e-6, Number.NaN, Number.POSITIVE_INFINITY, 1_000.1, 4e-13])("refuses %d", (dollars) => {
    expect(() => toRate(dollars)).toThrow(RangeError);
  });

  it("goes back to the number it came from", () => {
    for (const dollars of [2.5e-6, 1.25e-7, 3e-8, 0.01, 0.03, 75e-6])
      expect(toDollarsPerUnit(toRate(dollars))).toBe(dollars);
  });
});

describe("an amount", () => {
  it("is quantity × rate rounded half up to the nano-dollar, as exact integers say", () => {
    fc.assert(
      fc.property(quantity, rate, (units, price) => {
        const exact = multiplyExactly(units, price);
        fc.pre(exact <= BigInt(Number.MAX_SAFE_INTEGER));
        return BigInt(multiply(units, price)) === exact;
      }),
      { numRuns: 2_000 },
    );
  });

  it("is refused when it cannot be counted exactly", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2 ** 30, max: 2 ** 40 }),
        fc.integer({ min: 10 ** 12, max: 10 ** 15 }),
        (units, price) => {
          fc.pre(multiplyExactly(units, price) > BigInt(Number.MAX_SAFE_INTEGER));
          expect(() => multiply(units, price)).toThrow(RangeError);
        },
      ),
    );
  });

  it("does not drift: a thousand million tokens at $0.0375 per million are $37.50 exactly", () => {
    expect(multiply(1_000_000_000, toRate(3.75e-8))).toBe(37_500_000_000);
    expect(multiply(1_000_000_000, toRate(1e-12))).toBe(1_000_000);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 40 + 1])("refuses a quantity of %d", (units) => {
    expect(() => multiply(units, 1)).toThrow(RangeError);
  });

  it("adds exactly or not at all", () => {
    expect(add(Number.MAX_SAFE_INTEGER - 1, 1)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => add(Number.MAX_SAFE_INTEGER, 1)).toThrow(RangeError);
  });

  it("survives being shown in dollars", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 15 }), (amount) => fromDollars(toDollars(amount)) === amount),
    );
  });

  it("is shown without float dust", () => {
    expect(JSON.stringify([toDollars(fromDollars(0.1) + fromDollars(0.2)), toDollars(2_250_001)])).toBe(
      "[0.3,0.002250001]",
    );
  });
});
