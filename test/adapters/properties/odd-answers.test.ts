import fc from "fast-check";
import { expect, it } from "vitest";
import { anthropic } from "../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../adapters/providers/cohere/index.ts";
import { type CompatibleName, compatible } from "../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { ChatChunk, ChatResponse } from "../../../src/engine/api/chat.ts";
import { EmbeddingResponse } from "../../../src/engine/api/embeddings.ts";
import { ModelListResponse } from "../../../src/engine/api/models.ts";
import { RerankResponse } from "../../../src/engine/api/rerank.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import type { Engine } from "../../../src/index.ts";
import { scriptedPrices } from "../../../src/testing/index.ts";
import { engineOver } from "../../engine/support/support.ts";
import { collect } from "../../fixtures/native.ts";
import {
  answered,
  anyOddity,
  type Recorded,
  type RecordedStream,
  recordedAnswers,
  recordedStreams,
  withOddity,
} from "../../fixtures/odd.ts";

type Open = (options: { readonly apiKey: string; readonly transport: Transport }) => ReturnType<typeof openai>;

const hosted = (name: CompatibleName): [string, Open] => [
  name,
  (options) => compatible(name, { baseUrl: "https://vendor.example/v1", ...options }),
];
const vendors = new Map<string, Open>([
  ["anthropic", anthropic],
  ["bedrock", (options) => bedrock({ region: "us-east-1", ...options })],
  ["cohere", cohere],
  ["gemini", gemini],
  ["openai", openai],
  hosted("deepseek"),
  hosted("jina"),
  hosted("mistral"),
  hosted("openrouter"),
  hosted("perplexity"),
  hosted("tei"),
  hosted("voyage"),
]);
const answers = new Map([...vendors.keys()].flatMap(recordedAnswers).map((each) => [each.name, each]));
const streams = new Map([...vendors.keys()].flatMap(recordedStreams).map((each) => [each.name, each]));

function engineOf(vendor: string, transport: Transport): Engine {
  const provider = vendors.get(vendor)?.({ apiKey: "k-0123456789", transport });
  if (provider === undefined) throw new Error(`there is no ${vendor}`);
  return engineOver([provider], { prices: scriptedPrices(), store: memoryStore() }).engine;
}

const asks = {
  chat: (engine: Engine, request: never) => engine.chat(request),
  embedding: (engine: Engine, request: never) => engine.embed(request),
  rerank: (engine: Engine, request: never) => engine.rerank(request),
  models: (engine: Engine) => engine.models(),
} satisfies Record<Recorded["kind"], (engine: Engine, request: never) => Promise<unknown>>;

const schemas = { chat: ChatResponse, embedding: EmbeddingResponse, rerank: RerankResponse, models: ModelListResponse };

/** What comes of the work: nothing where it fails with the error of a vendor that answers oddly. */
async function orVendorsFault<Made>(work: Promise<Made>): Promise<Made | undefined> {
  try {
    return await work;
  } catch (thrown) {
    if (!isGatewayError(thrown) || thrown.code === "internal") throw thrown;
    expect(["upstream_invalid_response", "upstream_error", "upstream_stream_broken"]).toContain(thrown.code);
    return undefined;
  }
}

/** Holds of what the public types promise; an object that was taken for a text shows in it. */
function expectSound(schema: { safeParse(told: unknown): { error?: unknown } }, told: unknown): void {
  expect(schema.safeParse(told).error).toBeUndefined();
  expect(JSON.stringify(told)).not.toContain("[object Object]");
}

/** Ends with the books in order: whole numbers that are no less than nothing. */
async function expectSoundBooks(engine: Engine): Promise<void> {
  const { entries } = await engine.usage.entries({ limit: 2 });
  const counts = entries.flatMap(({ attempts }) =>
    attempts.flatMap(({ prompt_tokens, completion_tokens, cost_nano }) => [
      prompt_tokens,
      completion_tokens,
      cost_nano ?? 0,
    ]),
  );
  expect(counts.filter((count) => !Number.isSafeInteger(count) || count < 0)).toEqual([]);
  await engine.close();
}

it("a whole answer that is odd in one place is what its type says, or is the vendor's fault, so that the next target is asked", () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...answers.keys()), anyOddity(300), async (name, oddity) => {
      const { vendor, model, kind, request, answer } = answers.get(name) as Recorded;
      const engine = engineOf(vendor, answered(withOddity(answer, oddity)));
      const asked = { ...request, model: `${vendor}/${model}`, fallbacks: undefined } as never;
      const told = await orVendorsFault<unknown>(asks[kind](engine, asked));
      if (told !== undefined) expectSound(schemas[kind], told);
      await expectSoundBooks(engine);
    }),
    { numRuns: 400 },
  ));

it("and so is a stream with an event that is odd in one place", () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...streams.keys()), fc.nat(40), anyOddity(40), async (name, event, oddity) => {
      const stream = streams.get(name) as RecordedStream;
      const at = event % stream.events.length;
      const engine = engineOf(stream.vendor, stream.played(at, withOddity(stream.events[at], oddity)));
      const request = {
        model: `${stream.vendor}/m`,
        messages: [{ role: "user" as const, content: "Go" }],
        stream_options: { include_usage: true },
      };
      const opened = await orVendorsFault(engine.streamChat(request));
      const chunks = opened && (await orVendorsFault(collect(opened)));
      for (const chunk of chunks ?? []) expectSound(ChatChunk, chunk);
      await expectSoundBooks(engine);
    }),
    { numRuns: 400 },
  ));
