import { describe, expect, test } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../adapters/providers/bedrock/index.ts";
import { groq } from "../../../../adapters/providers/compatible/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { vertex } from "../../../../adapters/providers/vertex/index.ts";
import { createEngine, type Provider } from "../../../../src/index.ts";
import type { ChatFixture } from "../../../../src/testing/conformance/provider/fixture.ts";
import { postJson } from "../../support/dialects/scripted-vendor.ts";
import { recordedChat, replay } from "../../support/recorded-vendor.ts";

/** What clients send to have more of one vendor, all at once. */
const capabilities = {
  "openai-beta": "responses=v1",
  "anthropic-version": "2023-01-01",
  "x-amzn-bedrock-service-tier": "priority",
  "x-amzn-bedrock-performanceconfig-latency": "optimized",
  "x-vertex-ai-llm-request-type": "shared",
  "x-vertex-ai-llm-shared-request-type": "flex",
  "groq-model-version": "latest",
};

/** What no vendor may ever get of a caller. */
const confidential = {
  cookie: "a=b",
  "proxy-authorization": "Basic x",
  "x-goog-user-project": "somebody",
  "openai-organization": "org-x",
  "openai-project": "p",
  "x-amz-security-token": "t",
  "x-amzn-bedrock-guardrailidentifier": "g",
  "x-unknown": "1",
  te: "trailers",
};

type Options = { readonly callerHeaders?: readonly string[]; readonly fetch: typeof fetch };

interface Vendor {
  readonly model: string;
  make(options: Options): Provider;
  readonly exchange: ChatFixture;
  /** The capability headers that it gets unless its options say otherwise. */
  readonly usual: readonly string[];
}

const vendors: Readonly<Record<string, Vendor>> = {
  openai: {
    model: "openai/gpt-4.1",
    make: (options) => openai({ apiKey: "k", upstream: "chat", ...options }),
    exchange: recordedChat("mistral", "chat"),
    usual: ["openai-beta"],
  },
  groq: {
    model: "groq/groq/compound",
    make: (options) => groq({ apiKey: "k", ...options }),
    exchange: recordedChat("mistral", "chat"),
    usual: ["groq-model-version"],
  },
  anthropic: {
    model: "anthropic/claude-haiku-4-5",
    make: (options) => anthropic({ apiKey: "k", ...options }),
    exchange: recordedChat("anthropic"),
    usual: [],
  },
  vertex: {
    model: "vertex/gemini-2.5-pro",
    make: (options) => vertex({ project: "p", location: "global", accessToken: "t", ...options }),
    exchange: recordedChat("gemini"),
    usual: [],
  },
};

const forms = [
  ["whole", false],
  ["streamed", true],
] as const;
const rows = Object.keys(vendors).flatMap((name) => forms.map(([form, stream]) => [name, form, stream] as const));

async function ask(
  { model, make, exchange }: Vendor,
  stream: boolean,
  {
    callerHeaders,
    headers = { ...capabilities, ...confidential },
  }: { callerHeaders?: string[]; headers?: object } = {},
) {
  const sent: { headers: Headers; body: string }[] = [];
  const answering: typeof fetch = async (url, init) => {
    sent.push({ headers: new Headers(init?.headers), body: String(init?.body) });
    return replay(exchange, url, stream);
  };
  const provider = make({ fetch: answering, ...(callerHeaders && { callerHeaders }) });
  const engine = createEngine({ providers: [provider] });
  const body = { model, messages: [{ role: "user", content: "go" }], stream };
  const path = "/openai/v1/chat/completions";
  const { status, text, warnings } = await postJson(engine, { path, body, headers: { ...headers } });
  await engine.close();
  expect([status, text.includes('"error"')], text).toEqual([200, false]);
  const last = sent.at(-1);
  return { headers: last?.headers ?? new Headers(), body: JSON.parse(last?.body ?? "{}"), warnings: warnings ?? "" };
}

/** The capability headers that were sent as the caller gave them, and those that a warning names. */
function divide({ headers, warnings }: Awaited<ReturnType<typeof ask>>) {
  const entries = Object.entries(capabilities);
  return {
    passed: entries.filter(([name, value]) => headers.get(name) === value).map(([name]) => name),
    named: entries.map(([name]) => name).filter((name) => warnings.includes(`\`${name}\``)),
  };
}

const without = (names: readonly string[]) => Object.keys(capabilities).filter((name) => !names.includes(name));

describe("capability headers of a caller", () => {
  test.each(rows)("%s, %s: what the vendor has reaches it, and the rest is named", async (name, _form, stream) => {
    const vendor = vendors[name] as Vendor;
    const { usual } = vendor;
    expect(divide(await ask(vendor, stream))).toEqual({ passed: usual, named: without(usual) });
  });
  test.each(rows)("%s, %s: `callerHeaders` says which", async (name, _form, stream) => {
    const callerHeaders = ["anthropic-version", "x-vertex-ai-llm-request-type"];
    const told = divide(await ask(vendors[name] as Vendor, stream, { callerHeaders }));
    expect(told).toEqual({ passed: callerHeaders, named: without(callerHeaders) });
    const none = divide(await ask(vendors[name] as Vendor, stream, { callerHeaders: [] }));
    expect(none).toEqual({ passed: [], named: without([]) });
  });
  test.each(rows)("%s, %s: no other header is passed on, whatever the options say", async (name, _form, stream) => {
    const callerHeaders = Object.keys(confidential);
    const { headers, warnings } = await ask(vendors[name] as Vendor, stream, { callerHeaders });
    for (const [header, value] of Object.entries(confidential)) {
      expect(headers.get(header)).not.toBe(value);
      expect(warnings).not.toContain(`\`${header}\``);
    }
  });
  test.each(Object.keys(vendors))("%s: values that ask for what is done anyway are not named", async (name) => {
    const headers = {
      "anthropic-version": "2023-06-01",
      "x-amzn-bedrock-service-tier": "default",
      "x-amzn-bedrock-performanceconfig-latency": "standard",
      "openai-beta": "",
    };
    expect(divide(await ask(vendors[name] as Vendor, false, { headers })).named).toEqual([]);
  });
  test("a value that is too long is not sent, and is named", async () => {
    const headers = { "openai-beta": "x".repeat(257) };
    const told = await ask(vendors.openai as Vendor, false, { headers });
    expect(told.headers.get("openai-beta")).toBeNull();
    expect(told.warnings).toContain("`openai-beta` is not sent to openai");
  });
});

describe("Bedrock's, which Converse has in its body", () => {
  const vendor: Vendor = {
    model: "bedrock/amazon.nova-lite-v1:0",
    make: (options) => bedrock({ region: "us-east-1", apiKey: "k", ...options }),
    exchange: recordedChat("bedrock"),
    usual: [],
  };
  const both = ["x-amzn-bedrock-service-tier", "x-amzn-bedrock-performanceconfig-latency"];

  test.each(forms)("%s: the tier is sent, the latency is named", async (_form, stream) => {
    const told = await ask(vendor, stream);
    expect(told.body).toMatchObject({ serviceTier: { type: "priority" } });
    expect(told.body).not.toHaveProperty("performanceConfig");
    expect(divide(told)).toEqual({ passed: [], named: without(["x-amzn-bedrock-service-tier"]) });
  });
  test.each(forms)("%s: the latency is sent where it is allowed", async (_form, stream) => {
    const told = await ask(vendor, stream, { callerHeaders: both });
    expect(told.body).toMatchObject({ serviceTier: { type: "priority" }, performanceConfig: { latency: "optimized" } });
    expect(divide(told)).toEqual({ passed: [], named: without(both) });
  });
  test("neither is sent where none is allowed", async () => {
    const { body } = await ask(vendor, false, { callerHeaders: [] });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["serviceTier"]));
    expect(body).not.toHaveProperty("performanceConfig");
  });
});

test("a fallback gets its own headers, and the warnings are of the one that answered", async () => {
  const { make, exchange } = vendors.openai as Vendor;
  const failing = async () => Response.json({ error: { message: "no" } }, { status: 500 });
  const seen: Headers[] = [];
  const answering: typeof fetch = async (url, init) => {
    seen.push(new Headers(init?.headers));
    return replay(exchange, url, false);
  };
  const providers = [groq({ apiKey: "k", fetch: failing }), make({ fetch: answering })];
  const engine = createEngine({ providers, retry: { retries: 0 } });
  const messages = [{ role: "user", content: "go" }];
  const body = { model: "groq/groq/compound", fallbacks: ["openai/gpt-4.1"], messages };
  const { warnings } = await postJson(engine, { path: "/openai/v1/chat/completions", body, headers: capabilities });
  await engine.close();
  expect(seen.map((headers) => [headers.get("openai-beta"), headers.get("groq-model-version")])).toEqual([
    ["responses=v1", null],
  ]);
  expect(warnings).toContain("`groq-model-version` of the caller is not sent to openai");
  expect(warnings).not.toContain("sent to groq");
});

test("an answer to a call with such a header is neither kept nor taken from the cache", async () => {
  const { model, make, exchange } = vendors.openai as Vendor;
  let asked = 0;
  const answering: typeof fetch = async (url) => {
    asked++;
    return replay(exchange, url, false);
  };
  const engine = createEngine({ providers: [make({ fetch: answering })], cache: { answers: memoryCache() } });
  const body = { model, messages: [{ role: "user", content: "go" }] };
  const send = (headers: Record<string, string>) => postJson(engine, { path: "/v1/chat/completions", body, headers });
  for (const headers of [{}, {}, { "openai-beta": "a" }, { "openai-beta": "a" }]) await send(headers);
  await engine.close();
  expect(asked).toBe(3);
});
