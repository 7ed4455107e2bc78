import type { Counters } from "../../ports/counters.ts";

/** The counters of a configuration: those of a Redis server that it names, else the engine's own. */
export async function openCounters(address: string | undefined): Promise<Counters | undefined> {
  return address === undefined ? undefined : (await import("./redis.ts")).redisCountersAt(address);
}
