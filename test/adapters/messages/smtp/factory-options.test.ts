import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { gardener } from "../../../../adapters/clouds/gardener/index.ts";
import { upstreamPortal } from "../../../../adapters/clouds/http/index.ts";
import { local as embeddedCloud } from "../../../../adapters/clouds/local/index.ts";
import { openstack } from "../../../../adapters/clouds/openstack/index.ts";
import { s3 } from "../../../../adapters/clouds/s3/index.ts";
import { smtp } from "../../../../adapters/messages/smtp.ts";
import { webhook } from "../../../../adapters/messages/webhook/index.ts";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../adapters/providers/cohere/index.ts";
import * as compatible from "../../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { llamaCpp } from "../../../../adapters/providers/llama-cpp/index.ts";
import { local } from "../../../../adapters/providers/local/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { systemone } from "../../../../adapters/providers/systemone.ts";
import { vertex } from "../../../../adapters/providers/vertex/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { tiktoken } from "../../../../adapters/tokens/tiktoken/index.ts";
import { network } from "../../../../adapters/transports/undici.ts";
import { embeddedVectors } from "../../../../adapters/vectors/embedded/index.ts";
import { fromAiSdk, tollgate } from "../../../../src/ai-sdk/index.ts";
import { createEngine, createFetch, createListener } from "../../../../src/index.ts";
import { createPortal } from "../../../../src/portal/index.ts";

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
const management = { createPortal, embeddedCloud, gardener, openstack, s3, upstreamPortal };
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
  ...management,
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
    expect(refusal).toMatchObject({ code, param: "nope", message: expect.stringContaining(". Valid options: ") });
    expect(String(refusal)).not.toContain("sk-secret");
  });

  it("names the option that a misspelled one was meant to be", () => {
    const { message } = refusalOf(factory, { nope: 1 }) as Error;
    const options = /Valid options: (.*)\.$/.exec(message)?.[1]?.split(", ") ?? [];
    const [option = ""] = options.filter(({ length }) => length > 3);
    const wrong = `${option}x`;
    const refusal = refusalOf(factory, { [wrong]: 1 });
    expect(refusal).toMatchObject({ code, param: wrong });
    expect(options).toContain(/did you mean `(\w+)`\? Valid options: /.exec(String(refusal))?.[1]);
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
  [openai, "baseUrl", { apiKey: "x", baseUrl: 5 }],
  [openai, "headers", { apiKey: "x", headers: "a: b" }],
  [openai, "fetch", { apiKey: "x", fetch: {} }],
  [openai, "credentials", { apiKey: "x", credentials: {} }],
  [anthropic, "maxTokens", { apiKey: "x", maxTokens: "5" }],
  [anthropic, "beta", { apiKey: "x", beta: "one" }],
  [systemone, "form", { apiKey: "x", baseUrl: "http://x", form: "tree" }],
  [custom, "models", { baseUrl: "http://x", models: 5 }],
  [memoryCache, "maxBytes", { maxBytes: 0 }],
  [memoryStore, "capacity", { capacity: -1 }],
  [embeddedVectors, "maxEntries", { maxEntries: Number.NaN }],
  [catalogue, "overrides", { overrides: 5 }],
  [parts.sqliteStore, "rollEvery", { rollEvery: "x" }],
  [parts.createListener, "requireKey", { requireKey: "no" }],
  [parts.createListener, "bodyLimit", { bodyLimit: "1mb" }],
  [parts.createListener, "keepAliveMs", { keepAliveMs: -1 }],
  [parts.createListener, "prefix", { prefix: 5 }],
  [parts.createListener, "engine", { engine: {} }],
  [createPortal, "engine", undefined],
  [createPortal, "store", { engine }],
  [createPortal, "store", { engine, store: {} }],
  [embeddedCloud, "records", {}],
  [gardener, "kubeconfig", {}],
  [openstack, "authUrl", undefined],
  [openstack, "credentials", { authUrl: "http://x" }],
  [openstack, "interface", { authUrl: "http://x", credentials: {}, interface: "private" }],
  [s3, "endpoints", {}],
  [s3, "endpoints", { endpoints: ["ftp://x"] }],
  [upstreamPortal, "token", { url: "http://x" }],
  [upstreamPortal, "timeouts", { url: "http://x", token: "t", timeouts: { whole: "soon" } }],
  [openstack, "timeouts", { authUrl: "http://x", credentials: {}, timeouts: { gap: 0 } }],
  [openstack, "backupTimes", { authUrl: "http://x", credentials: {}, backupTimes: { poll: "-2s" } }],
  [gardener, "timeout", { kubeconfig: { inCluster: true }, timeout: "10 parsecs" }],
  [s3, "timeout", { endpoints: ["http://x"], timeout: 0 }],
  [s3, "deletionTimeout", { endpoints: ["http://x"], deletionTimeout: "1y" }],
  [smtp as Factory, "timeoutMs", { url: "smtp://x", from: "a@b.c", timeoutMs: "never" }],
  [webhook as Factory, "timeoutMs", { timeoutMs: Number.NaN }],
  [local as Factory, "pauseMs", { pauseMs: "2m" }],
  [network as Factory, "keepAlive", { keepAlive: "0s" }],
  [network as Factory, "dns", { dns: { least: "2d" } }],
  [tollgate as Factory, "engine", undefined],
  [(models) => fromAiSdk("sdk", models), "models", undefined],
  [createListener, "engine", undefined],
  [createListener, "engine", {}],
  [createFetch, "engine", undefined],
  [sqliteStore, "path", undefined],
  [sqliteStore, "path", 5],
  [sqliteStore, "path", ""],
] as [Factory, string, unknown][])("%o refuses what `%s` must not be, by its name", (factory, param, options) => {
  expect(refusalOf(factory, options)).toMatchObject({ code, param });
});
