import { systemClock, systemIds, systemRandom } from "../adapters/system.ts";
import { assembleEngine, type Engine, type EngineOptions } from "./engine.ts";

/** Builds an engine on this machine's clock and chance. Starts nothing and reads nothing from the environment. */
export function createEngine(options: EngineOptions): Engine {
  return assembleEngine(options, { clock: systemClock, random: systemRandom, ids: systemIds() });
}

export type { Engine, EngineOptions };
