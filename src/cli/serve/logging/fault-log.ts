import type { Logger } from "pino";
import { isGatewayError } from "../../../errors.ts";
import type { Engine } from "../../../index.ts";

/** Minimum milliseconds between two log lines about the same resource: an unreachable server fails on every request. */
const quietMs = 60_000;

/** Maximum number of resources that are remembered. */
const maxEntries = 100;

/** The engine to watch, the logger and the clock. */
interface FaultLogOptions {
  readonly engine: Engine;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Logs each opened or closed circuit, and each internal error with its stack. Repeated faults of the cache, the store or the counters are
 * logged once a minute with their number.
 */
export function logFaults({ engine, log, now }: FaultLogOptions): void {
  const isDue = createSieve(now);
  engine.on("circuit", ({ target, state }) => {
    log[state === "open" ? "warn" : "info"]({ target }, `the circuit of ${target} is ${state}`);
  });
  engine.on("cache", ({ result, error, event_id }) => {
    if (result !== "failed") return;
    const failures = isDue("cache");
    if (failures) log.warn({ event_id, failures }, `the cache failed: ${wordsOf(error)}`);
  });
  engine.on("defect", ({ request_type, error, ...event }) => {
    if (!isGatewayError(error) || error.code !== "store_unavailable") {
      log.error(
        { ...event, err: error instanceof Error ? error : new Error(String(error)) },
        `defect in ${request_type}`,
      );
      return;
    }
    const failures = isDue(error.message);
    const cause = error.cause === undefined ? undefined : wordsOf(error.cause);
    if (failures) log.error({ ...event, failures, cause }, error.message);
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns how often a fault has occurred since it was last logged, or nothing if that was less than a minute ago. */
function createSieve(now: () => number): (resource: string) => number | undefined {
  const resources = new Map<string, { loggedAt: number; count: number }>();
  return (resource) => {
    const known = resources.get(resource) ?? { loggedAt: Number.NEGATIVE_INFINITY, count: 0 };
    known.count++;
    const sinceMs = now() - known.loggedAt;
    if (sinceMs >= 0 && sinceMs < quietMs) return undefined; // the clock may have been set back
    const { count } = known;
    resources.delete(resource);
    resources.set(resource, { loggedAt: now(), count: 0 });
    const [oldest] = resources.keys();
    if (resources.size > maxEntries && oldest !== undefined) resources.delete(oldest);
    return count;
  };
}
