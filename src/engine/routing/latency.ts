/** A measured time to first token, and when it was last measured. */
export interface Latency {
  /** Milliseconds. */
  readonly ms: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Milliseconds after which a measurement counts half. */
const halfLifeMs = 60_000;

/** The most that what is known counts against one new sample, so that a burst of samples within one moment still moves it. */
const longestMemory = 0.8;

/**
 * Takes a new measurement in, `sampleMs` at `now`: the older what is known, the less it counts. A target that failed before its first
 * token is measured by the time it was waited for.
 */
export function measureLatency(known: Latency | undefined, sampleMs: number, now: number): Latency {
  if (!known) return { ms: sampleMs, at: now };
  const retained = Math.min(longestMemory, fade(known, now));
  return { ms: known.ms * retained + sampleMs * (1 - retained), at: Math.max(known.at, now) };
}

/**
 * What to expect of a target now, in milliseconds. A measurement that was not renewed fades towards 0: a target that was slow once is
 * asked again after a while, and one that was never measured is asked at once, since nothing else would measure it.
 */
export function expectLatency(known: Latency | undefined, now: number): number {
  return known ? known.ms * fade(known, now) : 0;
}

function fade({ at }: Latency, now: number): number {
  return 2 ** (-Math.max(0, now - at) / halfLifeMs);
}
