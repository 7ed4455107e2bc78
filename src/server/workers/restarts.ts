/** Milliseconds that a worker must have lived for its end to count as the first one again. */
const healthyMs = 10_000;

/** The first pause before a worker is started again, and the longest, in milliseconds. */
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** When a worker that ended is started again. */
export interface RestartPolicy {
  started(): void;
  /** Milliseconds until the next start: none after a worker that lived for ten seconds, then 0.5 s, doubled up to 30 s. */
  pauseMs(): number;
}

/** A policy for one place of a worker. */
export function restartPolicy(now: () => number): RestartPolicy {
  let startedAt = 0;
  let shortLives = 0;
  return {
    started() {
      startedAt = now();
    },
    pauseMs() {
      const isHealthy = now() - startedAt >= healthyMs;
      shortLives = isHealthy ? 0 : shortLives + 1;
      return isHealthy ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(shortLives - 1, 10));
    },
  };
}
