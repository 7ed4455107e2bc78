import type { Logger } from "pino";
import type { Engine } from "../../index.ts";

/** Milliseconds between two lines about a cache that fails: one that is away fails for every request. */
const quietMs = 60_000;

/** What is watched, where it is told, and by what time. */
interface Watch {
  readonly engine: Engine;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Writes a line when a target's circuit opens or closes, and one when the cache fails, with how often it did since the last. */
export function watchParts({ engine, log, now }: Watch): void {
  engine.on("circuit", ({ target, state }) => {
    log[state === "open" ? "warn" : "info"]({ target }, `the circuit of ${target} is ${state}`);
  });
  let toldAt = Number.NEGATIVE_INFINITY;
  let failures = 0;
  engine.on("cache", ({ result, error, event_id }) => {
    if (result !== "failed") return;
    failures++;
    const sinceMs = now() - toldAt;
    if (sinceMs >= 0 && sinceMs < quietMs) return; // the clock may have been set back
    const why = error instanceof Error ? error.message : String(error);
    log.warn({ event_id, failures }, `the cache failed: ${why}`);
    toldAt = now();
    failures = 0;
  });
}
