/**
 * How deep the fast suites go. `npm test` samples: properties stop at their time (`property-budget.ts`), and lists that take long are
 * sampled ({@link sample}). `npm run test:deep` sets `DEPTH=deep`: every run of every property, and every case.
 */
export const isDeep = process.env.DEPTH === "deep";

/** Where a sample begins. `SEED` repeats the sample of a run that failed. */
export const sampleSeed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** One of `every` cases, from a place that differs from run to run; all of them in the deep tier. */
export function sample<Case>(cases: readonly Case[], every: number): Case[] {
  if (isDeep) return [...cases];
  return cases.filter((_, index) => index % every === sampleSeed % every);
}

/** What a failure must say to be repeated; empty in the deep tier, where nothing is drawn. */
export const sampledBy = isDeep ? "" : ` (SEED=${sampleSeed} repeats this sample)`;

/** Where streams are cut in the sampled tier: before one of 24 bytes, others in each run; before each byte in the deep tier. */
export const cuts = isDeep ? {} : { every: 24, from: sampleSeed % 24 };

/** How often something must have happened in the runs of a property: `count` in the deep tier; in the sampled one, which may end early, it need not. */
export const atDepth = (count: number): number => (isDeep ? count : -1);
