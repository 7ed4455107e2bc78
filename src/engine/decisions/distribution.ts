/** A probability for every option of a question, in their order; sums to 1. */
export type Distribution = readonly number[];

/** How far the sum of stated probabilities may be from 1 (inference-resolved.md, section 10). */
const tolerance = 0.05;

/** Stated probabilities as a distribution that sums to 1; `undefined` when one is outside 0 to 1 or their sum is not 1 ± 0.05. */
export function normalise(stated: readonly unknown[]): Distribution | undefined {
  const weights = stated.filter(isProbability);
  if (weights.length < stated.length) return undefined;
  const sum = sumOf(weights);
  // The slack is for sums such as 0.35 + 0.7, which is a hair more than 1.05 in binary.
  return Math.abs(sum - 1) <= tolerance + 1e-9 ? weights.map((weight) => weight / sum) : undefined;
}

/** Shares of positive weights, whatever their sum; `undefined` when there is nothing to share. */
export function share(weights: readonly number[]): Distribution | undefined {
  const sum = sumOf(weights);
  return sum > 0 && Number.isFinite(sum) ? weights.map((weight) => weight / sum) : undefined;
}

/** How sure a distribution is: (N·pmax − 1)/(N − 1), which is 0 when all options are alike and 1 when there is only one. */
export function confidenceOf(distribution: Distribution): number {
  const count = distribution.length;
  if (count === 1) return 1;
  return clamp((count * Math.max(...distribution) - 1) / (count - 1));
}

/** The expected position: Σ i·p(i). */
export function expectedPosition(distribution: Distribution): number {
  return distribution.reduce((sum, probability, position) => sum + position * probability, 0);
}

/** Position of the likeliest option; the first of several. */
export function likeliest(distribution: Distribution): number {
  return distribution.indexOf(Math.max(...distribution));
}

function isProbability(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
