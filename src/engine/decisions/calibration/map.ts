import type { Distribution } from "../distribution.ts";

/** How a map is fitted: a temperature has one parameter, Platt scaling one more for each option. */
export type CalibrationKind = "temperature" | "platt";

/** Turns the probabilities that a model gives into such as come true as often. */
export interface CalibrationMap {
  readonly kind: CalibrationKind;
  /** Factor of the logarithm of each probability, above 0: 1 divided by the temperature. */
  readonly slope: number;
  /** Added to it, one for each option in their order; all 0 where a temperature is all there is. */
  readonly biases: readonly number[];
}

/** What a probability counts as at least, before its logarithm is taken. */
const leastProbability = 1e-12;
/** What every option has at least afterwards. */
const leastShare = 1e-6;

/** The logarithms of probabilities, finite also where one is 0. */
export function logsOf(distribution: Distribution): readonly number[] {
  return distribution.map((probability) => Math.log(Math.max(probability, leastProbability)));
}

/** The shares of options by their logits. */
export function softmax(logits: readonly number[]): readonly number[] {
  const highest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * The distribution that a map makes of one: proportional to `p ^ slope · e ^ bias`. A single option stays certain; of several none
 * becomes exactly 0 or 1. An option that gains probability gains it in the result.
 */
export function applyMap({ slope, biases }: CalibrationMap, distribution: Distribution): Distribution {
  const count = distribution.length;
  if (count === 1) return distribution;
  const shares = softmax(logsOf(distribution).map((log, at) => slope * log + (biases[at] ?? 0)));
  return shares.map((share) => share * (1 - count * leastShare) + leastShare);
}
