import { type CalibrationMap, logsOf, softmax } from "./map.ts";
import { minimise } from "./minimise.ts";
import type { LabelledAnswer } from "./scores.ts";

/** Options up to which Platt scaling is fitted; with more, labelled answers are too few for a parameter each. */
export const mostForPlatt = 20;

/** A slope below this would make all options alike, one beyond it a single one certain. */
const leastSlope = 0.02;
const mostSlope = 50;

/** A labelled answer as fits read it. */
interface FitSample {
  readonly logs: readonly number[];
  readonly target: readonly number[];
}

/** The temperature with the least log loss, by golden sections of its logarithm. */
export function fitTemperature(answers: readonly LabelledAnswer[]): CalibrationMap {
  const samples = samplesOf(answers);
  const lossAt = (logSlope: number) => lossOf(samples, { slope: Math.exp(logSlope), biases: [] });
  const slope = Math.exp(goldenSection(lossAt, Math.log(leastSlope), Math.log(mostSlope)));
  return { kind: "temperature", slope, biases: biasesOf(answers).map(() => 0) };
}

/** Pulls a parameter to where it changes nothing; biases are only known up to a common constant. */
const pull = 1e-3;

/**
 * Slope and biases with the least log loss, by Newton's method: with two options this is Platt scaling. Targets are those of Platt (1999),
 * (n + 1)/(n + k) for the right one of k options that is right n times, so that separable answers do not run to certainty.
 */
export function fitPlatt(answers: readonly LabelledAnswer[]): CalibrationMap {
  const samples = samplesOf(answers);
  const start = [1, ...biasesOf(answers).map(() => 0)];
  const [slope = 1, ...biases] = minimise(
    {
      lossAt: ([slope = 1, ...biases]) => {
        const size = (slope - 1) ** 2 + biases.reduce((sum, bias) => sum + bias ** 2, 0);
        return lossOf(samples, { slope, biases }) + (pull / 2) * size;
      },
      slopesAt: (point) => slopesAt(samples, point),
      within: ([slope = 1, ...biases]) => [Math.min(mostSlope, Math.max(leastSlope, slope)), ...biases],
    },
    start,
  );
  return { kind: "platt", slope, biases };
}

function biasesOf([first]: readonly LabelledAnswer[]): readonly number[] {
  return first?.distribution ?? [];
}

function samplesOf(answers: readonly LabelledAnswer[]): readonly FitSample[] {
  const counts = new Map<number, number>();
  for (const { truth } of answers) counts.set(truth, (counts.get(truth) ?? 0) + 1);
  return answers.map(({ distribution, truth }) => {
    const options = distribution.length;
    const times = counts.get(truth) as number;
    const target = distribution.map((_, at) => (at === truth ? times + 1 : 1) / (times + options));
    return { logs: logsOf(distribution), target };
  });
}

function lossOf(samples: readonly FitSample[], { slope, biases }: Omit<CalibrationMap, "kind">): number {
  let loss = 0;
  for (const { logs, target } of samples) {
    const logits = logs.map((log, at) => slope * log + (biases[at] ?? 0));
    const highest = Math.max(...logits);
    const logSum = highest + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - highest), 0));
    for (const [at, share] of target.entries()) loss -= share * ((logits[at] as number) - logSum);
  }
  return loss / samples.length;
}

/** Gradient and Hessian of the loss at a slope and biases. */
function slopesAt(samples: readonly FitSample[], point: readonly number[]) {
  const size = point.length;
  const [slope = 1, ...biases] = point;
  const gradient = point.map((value, at) => pull * (at === 0 ? value - 1 : value));
  const curvature = point.map((_, row) => point.map((__, column) => (row === column ? pull : 0)));
  for (const { logs, target } of samples) {
    const shares = softmax(logs.map((log, at) => slope * log + (biases[at] ?? 0)));
    const means = [shares.reduce((sum, share, at) => sum + share * (logs[at] as number), 0), ...shares];
    for (const [at, share] of shares.entries()) {
      const log = logs[at] as number;
      const excess = (share - (target[at] as number)) / samples.length;
      add(gradient, 0, excess * log);
      add(gradient, at + 1, excess);
      const weight = share / samples.length;
      const [first, own] = [curvature[0] as number[], curvature[at + 1] as number[]];
      add(first, 0, weight * log * log);
      add(first, at + 1, weight * log);
      add(own, 0, weight * log);
      add(own, at + 1, weight);
    }
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++)
        add(curvature[row] as number[], column, (-(means[row] as number) * (means[column] as number)) / samples.length);
  }
  return { gradient, curvature };
}

function add(values: number[], at: number, amount: number): void {
  values[at] = (values[at] as number) + amount;
}

const ratio = (Math.sqrt(5) - 1) / 2;
const sections = 60;

/** The lowest point of a function with one valley. */
function goldenSection(valueAt: (point: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let step = 0; step < sections; step++) {
    const width = ratio * (high - low);
    if (valueAt(high - width) <= valueAt(low + width)) high = low + width;
    else low = high - width;
  }
  return (low + high) / 2;
}
