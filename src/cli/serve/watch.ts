import type { Logger } from "pino";
import { isGatewayError } from "../../errors.ts";
import type { Engine } from "../../index.ts";

/** Milliseconds between two lines about the same thing: a server that is away fails for every request. */
const quietMs = 60_000;

/** Things that are remembered at a time. */
const mostThings = 100;

/** What is watched, where it is told, and by what time. */
interface Watch {
  readonly engine: Engine;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/**
 * Writes a line when a target's circuit opens or closes, and for each defect, with its stack. Of a cache that fails, and of a store or
 * counters out of reach, the same thing is said once a minute, with how often it happened since.
 */
export function watchParts({ engine, log, now }: Watch): void {
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

/** Says of a thing that happened how often it did since it was told last, and nothing where that was less than a minute ago. */
function createSieve(now: () => number): (thing: string) => number | undefined {
  const things = new Map<string, { toldAt: number; count: number }>();
  return (thing) => {
    const known = things.get(thing) ?? { toldAt: Number.NEGATIVE_INFINITY, count: 0 };
    known.count++;
    const sinceMs = now() - known.toldAt;
    if (sinceMs >= 0 && sinceMs < quietMs) return undefined; // the clock may have been set back
    const { count } = known;
    things.delete(thing);
    things.set(thing, { toldAt: now(), count: 0 });
    const [oldest] = things.keys();
    if (things.size > mostThings && oldest !== undefined) things.delete(oldest);
    return count;
  };
}
