import { describe, expect, it } from "vitest";
import { memoryCache } from "../../adapters/caches/memory.ts";
import { catalogue } from "../../adapters/prices/catalogue/index.ts";
import { anthropic } from "../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../adapters/providers/cohere/index.ts";
import * as compatible from "../../adapters/providers/compatible/index.ts";
import { gemini } from "../../adapters/providers/gemini/index.ts";
import { llamaCpp } from "../../adapters/providers/llama-cpp/index.ts";
import { local } from "../../adapters/providers/local/index.ts";
import { openai } from "../../adapters/providers/openai.ts";
import { systemone } from "../../adapters/providers/systemone.ts";
import { vertex } from "../../adapters/providers/vertex/index.ts";
import { memoryStore } from "../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { tiktoken } from "../../adapters/tokens/tiktoken/index.ts";
import { embeddedVectors } from "../../adapters/vectors/embedded/index.ts";
import { createEngine, createFetch, createListener } from "../../src/index.ts";

type Factory = (options: never) => unknown;
const engine = createEngine({ providers: [local()] });
const custom = (options: never) => compatible.custom("mine", options);
const providers: Readonly<Record<string, Factory>> = {
  openai,
  anthropic,
  gemini,
  cohere,
  bedrock,
  vertex,
  systemone,
  groq: compatible.groq,
  ollama: compatible.ollama,
  azure: compatible.azure,
  custom,
};
const overEngine = {
  createListener: (options: never) => createListener({ engine, ...(options as object) }),
  createFetch: (options: never) => createFetch(engine, options),
};
const parts: Readonly<Record<string, Factory>> = {
  ...providers,
  local,
  llamaCpp,
  memoryStore,
  memoryCache,
  embeddedVectors,
  tiktoken,
  catalogue,
  sqliteStore: (options) => sqliteStore(":memory:", options),
  ...overEngine,
};

const refusalOf = (factory: Factory, options: unknown) => {
  try {
    factory(options as never);
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was refused");
};
const code = "invalid_configuration";

describe.each(Object.keys(parts))("%s", (name) => {
  const factory = parts[name] as Factory;

  it("refuses an option that there is not, by its name, and says which there are", () => {
    const refusal = refusalOf(factory, { nope: "sk-secret" });
    expect(refusal).toMatchObject({ code, param: "nope", message: expect.stringContaining("; there are ") });
    expect(String(refusal)).not.toContain("sk-secret");
  });
});

it.each(Object.keys(parts).filter((name) => !(name in overEngine)))("%s refuses options that are no object", (name) => {
  expect(refusalOf(parts[name] as Factory, 5)).toMatchObject({ code, param: "options" });
});

it.each(Object.keys(providers))("%s refuses an address under the name that other SDKs have for it", (name) => {
  const refusal = refusalOf(providers[name] as Factory, { baseURL: "http://127.0.0.1:1" });
  expect(refusal).toMatchObject({ code, param: "baseURL", message: expect.stringContaining("baseUrl") });
});

it.each([
  [openai, { apiKey: "x", baseUrl: 5 }, "baseUrl"],
  [openai, { apiKey: "x", headers: "a: b" }, "headers"],
  [openai, { apiKey: "x", fetch: {} }, "fetch"],
  [openai, { apiKey: "x", credentials: {} }, "credentials"],
  [anthropic, { apiKey: "x", maxTokens: "5" }, "maxTokens"],
  [anthropic, { apiKey: "x", beta: "one" }, "beta"],
  [systemone, { apiKey: "x", baseUrl: "http://x", form: "tree" }, "form"],
  [custom, { baseUrl: "http://x", models: 5 }, "models"],
  [memoryCache, { maxBytes: 0 }, "maxBytes"],
  [memoryStore, { capacity: -1 }, "capacity"],
  [embeddedVectors, { maxEntries: Number.NaN }, "maxEntries"],
  [catalogue, { overrides: 5 }, "overrides"],
  [parts.sqliteStore, { rollEvery: "x" }, "rollEvery"],
  [parts.createListener, { requireKey: "no" }, "requireKey"],
  [parts.createListener, { bodyLimit: "1mb" }, "bodyLimit"],
  [parts.createListener, { keepAliveMs: -1 }, "keepAliveMs"],
  [parts.createListener, { prefix: 5 }, "prefix"],
  [parts.createListener, { engine: {} }, "engine"],
  [createListener, undefined, "engine"],
  [createListener, {}, "engine"],
  [createFetch, undefined, "engine"],
  [sqliteStore, undefined, "path"],
  [sqliteStore, 5, "path"],
  [sqliteStore, "", "path"],
] as [Factory, unknown, string][])("%o refuses %j, naming the field", (factory, options, param) => {
  expect(refusalOf(factory, options)).toMatchObject({ code, param });
});
