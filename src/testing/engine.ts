import type { EngineOptions } from "../engine/engine.ts";
import type { Entropy, Ids } from "../engine/ports/clock.ts";
import { createEngine, type Engine } from "../http/create-engine.ts";
import { type FakeClock, fakeChance, fakeClock } from "./clock.ts";
import { scriptedPrices } from "./prices.ts";
import { type ScriptedRequest, scriptedProviders } from "./script/providers.ts";
import type { Script } from "./script/step.ts";

/** An engine over a script: no network, no timers, no wall clock. */
export interface ScriptedEngine extends Engine {
  /** `provider/model` of each time a provider was asked, in order. */
  readonly calls: readonly string[];
  /** The request of each of those times as the provider received it: what became of a prompt, or the results of tools. */
  readonly requests: readonly ScriptedRequest[];
  /** The engine's clock; it jumps to the next timer by itself. */
  readonly clock: FakeClock;
}

/** Options of an engine that a script leaves open. */
export type ScriptedOptions = Omit<EngineOptions, "providers" | "clock">;

/** Builds an engine whose providers act out `script`; every run of the same script and requests is the same. */
export function scriptedEngine(script: Script, options: ScriptedOptions = {}): ScriptedEngine {
  const clock = fakeClock({ runsByItself: true });
  const { providers, calls, requests } = scriptedProviders(script, clock);
  const engine = createEngine({ ...scriptedWorld(), ...options, providers, clock });
  return Object.defineProperties(
    { calls, requests, clock } as ScriptedEngine,
    Object.getOwnPropertyDescriptors(engine),
  );
}

/** Chance, identifiers, keys and prices that are the same in every run. */
export function scriptedWorld(): Pick<EngineOptions, "random" | "ids" | "entropy" | "prices"> {
  return { random: fakeChance(), ids: countingIds(), entropy: countingBytes(), prices: scriptedPrices() };
}

/** Bytes that differ each time and are the same in every run: no secrets are made of them. */
function countingBytes(): Entropy {
  let count = 0;
  return (bytes) => {
    const made = Buffer.alloc(bytes);
    made.writeUInt32BE(++count, bytes - 4);
    return made;
  };
}

/** Identifiers `evt_0`, `evt_1`, …. */
export function countingIds(): Ids {
  let count = 0;
  return () => `evt_${count++}`;
}
