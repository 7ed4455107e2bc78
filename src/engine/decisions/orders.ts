import type { Distribution } from "./distribution.ts";

/** Sum of the changes below which further orders are not worth asking for. */
const settledWithin = 0.02;

/** Orders of so many options, at most `most`: as they are, reversed, then the rotations of both, the furthest first. */
export function ordersOf(count: number, most: number): readonly (readonly number[])[] {
  const forwards = Array.from({ length: count }, (_, at) => at);
  const backwards = forwards.toReversed();
  const orders: (readonly number[])[] = [];
  for (const by of stepsOf(count)) orders.push(rotated(forwards, by), rotated(backwards, by));
  const distinct = new Map(orders.map((order) => [order.join(), order]));
  return [...distinct.values()].slice(0, most);
}

/** The rotations so that each next one is far from those before: 0, then the halves, the quarters, and so on. */
function stepsOf(count: number): readonly number[] {
  const steps = new Set<number>([0]);
  for (let parts = 2; steps.size < count; parts *= 2) {
    for (let part = 1; part < parts; part += 2) steps.add(Math.floor((part * count) / parts));
    if (parts > count) for (let step = 0; step < count; step++) steps.add(step);
  }
  return [...steps];
}

function rotated(order: readonly number[], by: number): readonly number[] {
  return [...order.slice(by), ...order.slice(0, by)];
}

/** The mean of distributions over the same options. */
export function meanOf(distributions: readonly Distribution[]): Distribution {
  const [first = []] = distributions;
  return first.map((_, at) => distributions.reduce((sum, each) => sum + (each[at] ?? 0), 0) / distributions.length);
}

/**
 * True when the orders that are left can hardly change the mean: if each of them differed from it by the most that two readings so
 * far differ by, no probability would move by more than two hundredths. One reading says nothing about the others.
 */
export function isSettled(read: readonly Distribution[], planned: number): boolean {
  if (read.length >= planned) return true;
  if (read.length < 2) return false;
  const [first = []] = read;
  const widest = Math.max(...first.map((_, at) => spreadOf(read.map((each) => each[at] ?? 0))));
  return (widest * (planned - read.length)) / planned <= settledWithin;
}

function spreadOf(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
