import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseMap, shuffle } from "../../../../src/engine/decisions/calibration/choose.ts";
import { fitPlatt, fitTemperature } from "../../../../src/engine/decisions/calibration/fit.ts";
import { applyMap, type CalibrationMap } from "../../../../src/engine/decisions/calibration/map.ts";
import { automatable, type LabelledAnswer, scoresOf } from "../../../../src/engine/decisions/calibration/scores.ts";
import { likeliest, share } from "../../../../src/engine/decisions/distribution.ts";

const options = fc.integer({ min: 2, max: 20 });
const probability = fc.oneof(fc.constantFrom(0, 1, 1e-300, 1e-12), fc.double({ min: 0, max: 1, noNaN: true }));

/** A distribution over so many options, exact zeros and ones among them. */
const distributionOf = (count: number) =>
  fc.array(probability, { minLength: count, maxLength: count }).map((weights) => share(weights) ?? uniform(count));
const uniform = (count: number) => Array.from({ length: count }, () => 1 / count);

const mapOf = (count: number): fc.Arbitrary<CalibrationMap> =>
  fc.record({
    kind: fc.constantFrom("temperature" as const, "platt" as const),
    slope: fc.double({ min: 0.02, max: 50, noNaN: true }),
    biases: fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: count, maxLength: count }),
  });

const mapped = options.chain((count) => fc.tuple(mapOf(count), distributionOf(count)));

describe("a calibration map", () => {
  it("makes a distribution that sums to 1 and has no exact 0 or 1", () => {
    fc.assert(
      fc.property(mapped, ([map, distribution]) => {
        const made = applyMap(map, distribution);
        expect(made.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
        for (const each of made) {
          expect(each).toBeGreaterThan(0);
          expect(each).toBeLessThan(1);
        }
      }),
    );
  });

  it("leaves the order of the options where it has no biases, and gives an option more where it had more", () => {
    fc.assert(
      fc.property(
        options.chain(distributionOf),
        fc.double({ min: 0.02, max: 50, noNaN: true }),
        (distribution, slope) => {
          const made = applyMap({ kind: "temperature", slope, biases: [] }, distribution);
          expect(made[likeliest(distribution)]).toBe(Math.max(...made));
        },
      ),
    );
    fc.assert(
      fc.property(mapOf(2), probability, probability, (map, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const [less = 0] = applyMap(map, [low, 1 - low]);
        const [more = 0] = applyMap(map, [high, 1 - high]);
        expect(more).toBeGreaterThanOrEqual(less);
      }),
    );
  });

  it("leaves a single option certain", () => {
    expect(applyMap({ kind: "platt", slope: 0.3, biases: [2] }, [1])).toEqual([1]);
  });
});

/** Answers whose truth is drawn by their own chances, distorted as a model with this slope and these biases would. */
function distorted(count: number, { slope, biases }: Pick<CalibrationMap, "slope" | "biases">): LabelledAnswer[] {
  let state = 11;
  const draw = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, () => {
    const chances = share(biases.map(() => draw() ** 2 + 0.02)) as readonly number[];
    const point = draw();
    const reached = chances.map((_, at) => chances.slice(0, at + 1).reduce((sum, chance) => sum + chance, 0));
    const truth = reached.findIndex((edge) => point < edge);
    const weights = chances.map((chance, at) => Math.exp((Math.log(chance) - (biases[at] as number)) / slope));
    return { distribution: share(weights) as readonly number[], truth: truth === -1 ? chances.length - 1 : truth };
  });
}

describe("fits", () => {
  it("find the slope and the biases that a model distorts with", () => {
    const cases = [
      { slope: 0.4, biases: [0.5, -0.5] },
      { slope: 2, biases: [0, 0] },
      { slope: 0.6, biases: [1, 0, -1] },
    ];
    for (const truth of cases) {
      const { slope, biases } = fitPlatt(distorted(4_000, truth));
      expect(Math.abs(Math.log(slope / truth.slope))).toBeLessThan(0.15);
      const middle = biases.reduce((sum, bias) => sum + bias, 0) / biases.length;
      for (const [at, bias] of biases.entries())
        expect(Math.abs(bias - middle - (truth.biases[at] as number))).toBeLessThan(0.15);
    }
    const { slope, biases } = fitTemperature(distorted(4_000, { slope: 0.5, biases: [0, 0, 0] }));
    expect(slope).toBeCloseTo(0.5, 1);
    expect(biases).toEqual([0, 0, 0]);
  });

  it("make nothing worse on what they were fitted to, whatever that is, and end", () => {
    const answered = options.chain((count) =>
      fc.array(fc.record({ distribution: distributionOf(count), truth: fc.nat({ max: count - 1 }) }), {
        minLength: 10,
        maxLength: 30,
      }),
    );
    fc.assert(
      fc.property(answered, (answers) => {
        for (const map of [fitTemperature(answers), fitPlatt(answers)]) {
          expect(map.slope).toBeGreaterThanOrEqual(0.01);
          for (const bias of map.biases) expect(bias).toSatisfy(Number.isFinite);
        }
        const { map, heldOut } = chooseMap(answers);
        const best = Math.min(...Object.values(heldOut).map(({ log_loss }) => log_loss));
        expect(heldOut[map?.kind ?? "none"]?.log_loss).toBe(best);
        expect(chooseMap(answers)).toEqual({ map, heldOut });
      }),
      { numRuns: 40 },
    );
  });

  it("choose by answers that they have not seen: Platt scaling for a bias, a temperature for a slope alone, none for a calibrated model", () => {
    const biased = distorted(400, { slope: 1, biases: [1.5, -1.5] });
    const sure = distorted(400, { slope: 0.3, biases: [0, 0, 0, 0, 0, 0] });
    expect(chooseMap(biased).map?.kind).toBe("platt");
    expect(chooseMap(sure).map?.kind).toBe("temperature");
    const { map, heldOut } = chooseMap(sure);
    expect(heldOut[map?.kind ?? "none"]?.ece).toBeLessThan(heldOut.none.ece / 2);
    const own = Array.from({ length: 40 }, (_, at) => ({ distribution: [0.75, 0.25], truth: at % 4 === 0 ? 1 : 0 }));
    expect(chooseMap(own).map).toBeUndefined();
    expect(chooseMap(own, "temperature").map?.kind).toBe("temperature");
  });

  it("shuffle the same way every time, and lose nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (items) => {
        expect([...shuffle(items)].sort()).toEqual([...items].sort());
        expect(shuffle(items)).toEqual(shuffle(items));
      }),
    );
  });
});

describe("scores", () => {
  const right = { distribution: [0.75, 0.25], truth: 0 };
  const wrong = { distribution: [0.75, 0.25], truth: 1 };
  it("are those of their definitions", () => {
    const { log_loss, brier, ece } = scoresOf([right, right, right, wrong]);
    expect(log_loss).toBeCloseTo(-(3 * Math.log(0.75) + Math.log(0.25)) / 4, 12);
    expect(brier).toBeCloseTo((3 * 2 * 0.25 ** 2 + 2 * 0.75 ** 2) / 4, 12);
    expect(ece).toBeCloseTo(0, 12);
    expect(scoresOf([right]).ece).toBeCloseTo(0.25, 12);
    expect(scoresOf([{ distribution: [0, 1], truth: 0 }]).log_loss).toSatisfy(Number.isFinite);
  });

  it("count as automated only what is sure enough, and ties together", () => {
    const sure = { distribution: [0.9, 0.1], truth: 0 };
    expect(automatable([sure, sure, wrong], 0.05)).toBeCloseTo(2 / 3, 12);
    expect(automatable([right, wrong], 0.05)).toBe(0);
    expect(automatable([wrong, right], 0.05)).toBe(0);
    expect(automatable([], 0.05)).toBe(0);
  });
});
