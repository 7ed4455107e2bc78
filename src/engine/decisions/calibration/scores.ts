import { type Distribution, likeliest } from "../distribution.ts";

/** A distribution that was given, and the position of the option that is right. */
export interface LabelledAnswer {
  readonly distribution: Distribution;
  readonly truth: number;
}

/** How good probabilities are, on labelled answers; less is better. */
export interface Scores {
  /** Mean of −ln p of the right option. */
  readonly log_loss: number;
  /** Mean of Σ (p − truth)² over the options: 0 to 2. */
  readonly brier: number;
  /** Expected calibration error of the likeliest option, in ten bins: 0 to 1. */
  readonly ece: number;
}

/** The scores of at least one answer. */
export function scoresOf(answers: readonly LabelledAnswer[]): Scores {
  return { log_loss: mean(answers.map(logLossOf)), brier: mean(answers.map(brierOf)), ece: calibrationError(answers) };
}

/** −ln p of the right option; finite where that is 0. */
function logLossOf({ distribution, truth }: LabelledAnswer): number {
  return -Math.log(Math.max(distribution[truth] ?? 0, Number.MIN_VALUE));
}

/**
 * The largest share of answers, the surest first, of which at most `error` are wrong: what can be automated. Answers that are equally
 * sure count together.
 */
export function automatable(answers: readonly LabelledAnswer[], error: number): number {
  const surest = answers.map(judged).sort((one, other) => other.sureness - one.sureness);
  let wrong = 0;
  let most = 0;
  for (const [at, { isRight, sureness }] of surest.entries()) {
    if (!isRight) wrong++;
    if (surest[at + 1]?.sureness !== sureness && wrong <= error * (at + 1)) most = at + 1;
  }
  return answers.length === 0 ? 0 : most / answers.length;
}

function brierOf({ distribution, truth }: LabelledAnswer): number {
  return distribution.reduce((sum, probability, at) => sum + (probability - (at === truth ? 1 : 0)) ** 2, 0);
}

function judged({ distribution, truth }: LabelledAnswer) {
  const chosen = likeliest(distribution);
  return { sureness: distribution[chosen] ?? 0, isRight: chosen === truth };
}

const binCount = 10;

function calibrationError(answers: readonly LabelledAnswer[]): number {
  const all = answers.map(judged);
  const bins = Array.from({ length: binCount }, () => ({ stated: 0, right: 0 }));
  for (const { sureness, isRight } of all) {
    const bin = bins[Math.min(binCount - 1, Math.floor(sureness * binCount))] as (typeof bins)[number];
    bin.stated += sureness;
    if (isRight) bin.right++;
  }
  return bins.reduce((sum, { stated, right }) => sum + Math.abs(stated - right), 0) / all.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
