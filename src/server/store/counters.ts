import type { Counters } from "../../engine/ports/counters.ts";
import type { CountersSettings } from "../config/connections.ts";
import type { ConfiguredServer } from "./unusable.ts";

/** The counters of a configuration: those of a Redis server that it names, else the engine's own. `notify` receives what an operator should know. */
export async function openCounters(
  settings: CountersSettings | undefined,
  notify?: ConfiguredServer["notify"],
): Promise<Counters | undefined> {
  return settings && (await import("./redis/adapters.ts")).redisCountersAt(settings, notify);
}
