import { describe, expect, it } from "vitest";
import type { MapAnswer } from "../../../../src/engine/api/decisions.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { byToken, byTool } from "../../support/judges.ts";
import { engineOver } from "../../support/support.ts";

/** A case with a known truth: the chance of each option, and the option that came true by it. */
interface Labelled {
  readonly chances: Readonly<Record<string, number>>;
  readonly truth: string;
}

const count = 2_000;
const optionNames = ["red", "green", "blue", "none"];

/** Chance that is the same in every run: a linear congruence, as good as is needed here. */
function sameChance(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Cases whose truth was drawn by their own chances: a forecaster that says the chances is calibrated, and no other is. */
function labelledSet(): readonly Labelled[] {
  const draw = sameChance();
  return Array.from({ length: count }, () => {
    const weights = optionNames.map(() => draw() ** 3 + 0.001);
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const chances = Object.fromEntries(optionNames.map((name, at) => [name, (weights[at] as number) / sum]));
    const point = draw() * sum;
    const reached = weights.map((_, at) => weights.slice(0, at + 1).reduce((total, weight) => total + weight, 0));
    const truth = optionNames[reached.findIndex((edge) => point < edge)] ?? "none";
    return { chances, truth };
  });
}

interface Forecast {
  readonly probability: number;
  readonly isTrue: boolean;
}

/** The mean squared distance from what came true. */
function brier(forecasts: readonly Forecast[]): number {
  return mean(forecasts.map(({ probability, isTrue }) => (probability - (isTrue ? 1 : 0)) ** 2));
}

/** How far, on the average, said probabilities are from how often they came true, in ten bins. */
function calibrationError(forecasts: readonly Forecast[]): number {
  const binOf = ({ probability }: Forecast) => Math.min(9, Math.floor(probability * 10));
  const bins = Array.from({ length: 10 }, (_, bin) => forecasts.filter((each) => binOf(each) === bin));
  const full = bins.filter((bin) => bin.length > 0);
  const gaps = full.map((bin) => {
    const said = mean(bin.map(({ probability }) => probability));
    const came = mean(bin.map(({ isTrue }) => (isTrue ? 1 : 0)));
    return (bin.length / forecasts.length) * Math.abs(said - came);
  });
  return gaps.reduce((sum, gap) => sum + gap, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const cases = labelledSet();

/** What the cases' own chances forecast. */
const ideal = cases.flatMap(({ chances, truth }) =>
  optionNames.map((name) => ({ probability: chances[name] as number, isTrue: name === truth })),
);

/** What an engine over the model forecasts, one choice for each case, a hundred cases to a request. */
async function forecast(provider: Provider): Promise<readonly Forecast[]> {
  const { engine } = engineOver([provider]);
  const criteria = Object.fromEntries(optionNames.map((name) => [name, null]));
  const forecasts: Forecast[] = [];
  for (let start = 0; start < count; start += 100) {
    const numbers = Array.from({ length: 100 }, (_, n) => start + n);
    const questions = Object.fromEntries(numbers.map((n) => [`case ${n}`, { kind: "choice" as const, criteria }]));
    const { answers } = await engine.decide({ model: "a/m", questions });
    for (const n of numbers) {
      const { probabilities } = (answers as Record<string, Extract<MapAnswer, { kind: "choice" }>>)[`case ${n}`] ?? {};
      for (const name of optionNames)
        forecasts.push({ probability: probabilities?.[name] ?? Number.NaN, isTrue: cases[n]?.truth === name });
    }
  }
  return forecasts;
}

const chanceOf = (question: string, option: string) => cases[Number(question.slice(5))]?.chances[option] ?? 0;

describe("calibration over a labelled set", () => {
  it.each([
    ["the probabilities of a token", byToken("a", chanceOf)],
    ["a forced tool", byTool("a", chanceOf)],
    // Sums to 0.96: within what is taken, and renormalised.
    ["a forced tool whose sum is off", byTool("a", (question, option) => chanceOf(question, option) * 0.96)],
  ])("is that of the model itself, by %s", async (way, provider) => {
    const forecasts = await forecast(provider);
    const [score, error] = [brier(forecasts), calibrationError(forecasts)];
    console.log(
      `by ${way}: Brier ${score.toFixed(4)} (the chances' own ${brier(ideal).toFixed(4)}), calibration error ${error.toFixed(4)}`,
    );
    expect(score).toBeCloseTo(brier(ideal), 9);
    expect(error).toBeCloseTo(calibrationError(ideal), 9);
    expect(error).toBeLessThan(0.02);
  });

  it("would be seen to be bad of a model that is surer than it may be", async () => {
    const sharp = await forecast(
      byToken("a", (question, option) => {
        const all = optionNames.map((name) => chanceOf(question, name) ** 3);
        return chanceOf(question, option) ** 3 / all.reduce((sum, weight) => sum + weight, 0);
      }),
    );
    expect(calibrationError(sharp)).toBeGreaterThan(0.05);
    expect(brier(sharp)).toBeGreaterThan(brier(ideal));
  });
});
