import OpenAI from "openai";
import { openai } from "../../../../adapters/providers/openai.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Prices } from "../../../../src/engine/ports/prices.ts";
import { createEngine, type Engine, type EngineOptions, type Provider } from "../../../../src/index.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { type StoringOpenai, storingOpenai } from "./storing-openai.ts";

export const model = "openai/gpt-5.6-sol";
const everything = [{ provider: "*", allowed_models: ["*"] }];
const prices: Prices = {
  version: "test",
  find: (provider, name) => ({
    provider,
    model: name,
    rates: { input_cost_per_token: 0, output_cost_per_token: 0.1 },
    max_output_tokens: 10,
  }),
  list: () => [],
};

export const lab: Provider = { name: "lab", chat: () => Promise.reject(new Error("asked")) };
export const closers: (() => Promise<void>)[] = [];

/** Closes the engines that were started. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()));
}

export interface World {
  readonly vendor: StoringOpenai;
  readonly clock: ReturnType<typeof fakeClock>;
  readonly store: ReturnType<typeof memoryStore>;
}

export function world(): World {
  return { vendor: storingOpenai(), clock: fakeClock({ startAt: Date.UTC(2026, 10, 20) }), store: memoryStore() };
}

/** A process of the gateway; a second one over the same world is another process, or the same one after a restart. */
export function start({ vendor, clock, store }: World, options: Partial<EngineOptions> = {}) {
  const provider = openai({
    credentials: ["one", "two"].map((id) => ({ id, apiKey: `sk-${id}` })),
    transport: vendor.transport,
  });
  const engine = createEngine({ providers: [provider, lab], store, clock, prices, retry: { retries: 0 }, ...options });
  closers.push(() => closeNow(engine, clock));
  return engine;
}

/** Closes an engine that may still wait for responses in the background. */
async function closeNow(engine: Engine, clock: World["clock"]): Promise<void> {
  const closing = engine.close({ graceMs: 1 });
  for (let n = 0; n < 5; n++) await clock.advance(2_000);
  await closing;
}

export async function keyOf(engine: Engine, more: object = {}) {
  const { key, value } = await engine.keys.create({ name: "k", provider_configs: everything, ...more });
  return { id: key.id, key: value };
}

export function clientOf(engine: Engine, key: string) {
  return new OpenAI({ apiKey: key, baseURL: "http://gateway/v1", fetch: engine.fetch, maxRetries: 0 });
}

export async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    (answer) => {
      throw new Error(`answered: ${JSON.stringify(answer)}`);
    },
    (thrown) => thrown,
  );
  if (!(error instanceof OpenAI.APIError)) throw error;
  const { status, code, type, param, message } = error;
  return { status, code, type, param, message };
}
