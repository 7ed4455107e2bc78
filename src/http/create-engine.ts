import { randomBytes } from "node:crypto";
import { memoryCounters } from "../../adapters/counters/memory.ts";
import { catalogue } from "../../adapters/prices/catalogue/index.ts";
import { systemClock, systemIds, systemRandom } from "../../adapters/system.ts";
import { openToolServer } from "../../adapters/tools/mcp/index.ts";
import { assembleEngine, type CoreEngine, type EngineOptions } from "../engine/engine.ts";
import type { Clock } from "../engine/ports/clock.ts";
import { createFetch, type GatewayFetch } from "./server/fetch.ts";
import { type CoreListenerOptions, type Listener, createListener as listenOn } from "./server/node.ts";

/** A gateway inside the process, with a `fetch` of its own for official SDKs. */
export interface Engine extends CoreEngine {
  /** Reaches the HTTP API without a socket: `new OpenAI({ baseURL: "http://engine/v1", fetch: engine.fetch })`. */
  readonly fetch: GatewayFetch;
}

/** What a listener is made of; only `engine` is required. */
export type ListenerOptions = Omit<CoreListenerOptions, "clock"> & { readonly clock?: Clock | undefined };

/** Builds an engine on this machine's clock and chance. Starts nothing and reads nothing from the environment. */
export function createEngine(options: EngineOptions): Engine {
  const world = {
    clock: systemClock,
    random: systemRandom,
    ids: systemIds(),
    counters: memoryCounters,
    prices: catalogue,
    entropy: randomBytes,
    openToolServer,
  };
  const engine = assembleEngine(options, world);
  return Object.defineProperty(engine as Engine, "fetch", { value: createFetch(engine), enumerable: true });
}

/** Builds a listener for `node:http` that also mounts in Express, Fastify and Connect. */
export function createListener(options: ListenerOptions): Listener {
  return listenOn({ ...options, clock: options?.clock ?? systemClock });
}

export { systemClock };
