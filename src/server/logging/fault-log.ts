import type { Logger } from "pino";
import { isGatewayError } from "../../engine/errors.ts";
import type { Engine } from "../../http/create-engine.ts";
import type { OutageLog } from "./outage-log.ts";

/** Minimum milliseconds between two log lines about the cache, which is asked on every request. */
const quietMs = 60_000;

/** The engine to watch, the logger and the clock. */
interface FaultLogOptions {
  readonly engine: Engine;
  readonly log: Logger;
  readonly outages: OutageLog;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Logs each opened or closed circuit, and each internal error with its stack. Repeated faults of the cache are logged once a minute with
 * their number; those of the store and the counters are outages.
 */
export function logFaults({ engine, log, outages, now }: FaultLogOptions): void {
  const isDue = createSieve(now);
  engine.on("circuit", ({ target, state }) => {
    log[state === "open" ? "warn" : "info"]({ target }, `the circuit of ${target} is ${state}`);
  });
  engine.on("cache", ({ result, error, event_id }) => {
    if (result !== "failed") return;
    const failures = isDue();
    if (failures) log.warn({ event_id, failures }, `the cache failed: ${wordsOf(error)}`);
  });
  engine.on("dependency", ({ dependency, status, error }) => {
    if (status === "ok") outages.answered(dependency);
    else outages.failed(dependency, error);
  });
  engine.on("defect", ({ request_type, error, ...event }) => {
    if (isGatewayError(error) && error.code === "store_unavailable") return outages.failed("store", error, event);
    log.error(
      { ...event, err: error instanceof Error ? error : new Error(String(error)) },
      `defect in ${request_type}`,
    );
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns how often it was called since it last returned that, or nothing if that was less than a minute ago. */
function createSieve(now: () => number): () => number | undefined {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    count++;
    const sinceMs = now() - loggedAt;
    if (sinceMs >= 0 && sinceMs < quietMs) return undefined; // the clock may have been set back
    const total = count;
    loggedAt = now();
    count = 0;
    return total;
  };
}
