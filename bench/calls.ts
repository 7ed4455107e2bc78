import { median } from "./table.ts";

/** Calls at once: the more there are, the more of them a collection of garbage finds alive and copies (at 200 a call costs half as much again). */
export const width = 64;

/** CPU microseconds of a call, of all threads, `width` calls at a time. */
export async function cpuOfCalls(work: () => Promise<unknown>, count: number): Promise<number> {
  let left = count;
  const lane = async () => {
    while (left-- > 0) await work();
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: width }, lane));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Median wall milliseconds of a call, one at a time. */
export async function p50OfCalls(work: () => Promise<unknown>, count: number): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
