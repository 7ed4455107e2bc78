import type { CountersSettings } from "../../config/connections.ts";
import type { Counters } from "../../ports/counters.ts";

/** The counters of a configuration: those of a Redis server that it names, else the engine's own. */
export async function openCounters(settings: CountersSettings | undefined): Promise<Counters | undefined> {
  return settings && (await import("./redis/adapters.ts")).redisCountersAt(settings);
}
