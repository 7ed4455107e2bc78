import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import { APICallError, embedMany, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fromAiSdk, tollgate } from "../../src/ai-sdk/index.ts";
import { createEngine, type Engine, isGatewayError } from "../../src/index.ts";
import { scriptedPrices } from "../../src/testing/index.ts";
import { inProcess, mount } from "./gateway.ts";
import { type Talker, talker } from "./talker.ts";

/** A way in which the newest AI SDK reaches the same engine. */
interface Door {
  language(model: string): LanguageModelV4;
  embedding(model: string): EmbeddingModelV4;
}

const prices = scriptedPrices();
let talk: Talker;
let engine: Engine;
let outer: Engine;
let stop: () => Promise<void>;
const doors: Record<string, Door> = {};

const throughHttp = (baseURL: string, fetch: typeof globalThis.fetch): Door => {
  const models = createOpenAICompatible({
    name: "gateway",
    baseURL,
    fetch,
    includeUsage: true,
    supportsStructuredOutputs: true,
    supportedUrls: () => ({ "image/*": [/^https:/] }),
  });
  return { language: (model) => models.chatModel(model), embedding: (model) => models.embeddingModel(model) };
};

beforeAll(async () => {
  talk = talker();
  engine = createEngine({ providers: [talk.provider], prices, retry: { retries: 0 } });
  const socket = await mount(engine);
  stop = socket.stop;
  const models = tollgate(engine);
  doors["tollgate/ai-sdk"] = { language: models, embedding: models.embeddingModel };
  doors["@ai-sdk/openai-compatible over the listener"] = throughHttp(`${socket.baseUrl}/openai/v1`, socket.fetch);
  doors["@ai-sdk/openai-compatible over engine.fetch"] = throughHttp(
    "http://engine/openai/v1",
    inProcess(engine).fetch,
  );
  // A gateway before the gateway: the AI SDK's own client is its provider.
  const inner = throughHttp(`${socket.baseUrl}/openai/v1`, socket.fetch);
  const sdk = { languageModel: inner.language, embeddingModel: inner.embedding };
  outer = createEngine({ providers: [fromAiSdk("outer", sdk)], prices, retry: { retries: 0 } });
  const outside = tollgate(outer);
  doors["an AI SDK model as a provider"] = {
    language: (model) => outside(`outer/${model}`),
    embedding: (model) => outside.embeddingModel(`outer/${model}`),
  };
});

beforeEach(() => {
  talk.asked.length = 0;
  talk.broken = 0;
});

afterAll(async () => {
  await outer.close();
  await stop();
  await engine.close();
});

const weather = tool({
  description: "Weather of a city",
  inputSchema: jsonSchema<{ city: string }>({
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  }),
  execute: async ({ city }) => `${city} 21`,
});
const schema = jsonSchema<{ city: string; degrees: number }>({
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
  additionalProperties: false,
});
const usage = {
  inputTokens: 11,
  outputTokens: 7,
  totalTokens: 18,
  inputTokenDetails: { cacheReadTokens: 4 },
  outputTokenDetails: { reasoningTokens: 2 },
};

describe.each([
  "tollgate/ai-sdk",
  "@ai-sdk/openai-compatible over the listener",
  "@ai-sdk/openai-compatible over engine.fetch",
  "an AI SDK model as a provider",
])("the AI SDK, by %s", (way) => {
  const door = () => doors[way] as Door;
  const model = () => door().language("a/talker");

  it("generates text, with the usage that the provider counted", async () => {
    const answer = await generateText({ model: model(), prompt: "Hello", temperature: 0.5, maxOutputTokens: 99 });
    expect(answer.text).toBe("You said Hello, and I heard it.");
    expect(answer.finishReason).toBe("stop");
    expect(answer.totalUsage).toMatchObject(usage);
    expect(talk.asked[0]).toMatchObject({ temperature: 0.5, max_completion_tokens: 99 });
  });

  it("streams text piece by piece, and the usage at the end", async () => {
    const { textStream, finishReason, totalUsage } = streamText({ model: model(), prompt: "Hello" });
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join("")).toBe("You said Hello, and I heard it.");
    expect(await finishReason).toBe("stop");
    expect(await totalUsage).toMatchObject(usage);
  });

  it.each(["whole", "streamed"])("calls tools side by side and goes on with their results, %s", async (kind) => {
    const asked = { model: model(), prompt: "weather in Rome and Oslo", tools: { weather }, stopWhen: stepCountIs(3) };
    const told = kind === "whole" ? await generateText(asked) : streamText(asked);
    expect(await told.text).toBe("The tools say Oslo 21.");
    const [first] = await told.steps;
    expect(first?.finishReason).toBe("tool-calls");
    expect(first?.toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ["weather", { city: "Rome" }],
      ["weather", { city: "Oslo" }],
    ]);
    expect(talk.asked[0]?.tools?.[0]?.function).toMatchObject({ name: "weather", description: "Weather of a city" });
    expect(talk.asked[1]?.messages.slice(1)).toMatchObject([
      { role: "assistant", tool_calls: [{ id: expect.any(String) }, { id: expect.any(String) }] },
      { role: "tool", content: "Rome 21" },
      { role: "tool", content: "Oslo 21" },
    ]);
  });

  it("shows pictures, from memory and behind links", async () => {
    const show = (data: URL | Uint8Array) =>
      generateText({
        model: model(),
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What is this?" },
              { type: "file", mediaType: "image/png", data },
            ],
          },
        ],
      });
    expect((await show(new Uint8Array([137, 80, 78, 71]))).text).toBe("A picture: data:image/png;base64,iVBORw==");
    expect((await show(new URL("https://a.test/cat.png"))).text).toBe("A picture: https://a.test/cat.png");
  });

  it("gets what a schema asks for", async () => {
    const answer = await generateText({ model: model(), prompt: "Rome", output: Output.object({ schema }) });
    expect(answer.output).toEqual({ city: "Rome", degrees: 21 });
    expect(talk.asked[0]?.response_format).toMatchObject({
      type: "json_schema",
      json_schema: { schema: { required: ["city", "degrees"] } },
    });
  });

  it("is told of a failure with the provider's status and words", async () => {
    const error: unknown = await generateText({ model: model(), prompt: "too many", maxRetries: 0 }).catch(
      (thrown) => thrown,
    );
    const status = APICallError.isInstance(error) ? error.statusCode : isGatewayError(error) && error.status;
    expect(status).toBe(429);
    expect(String(error)).toContain("Slow down");
  });

  it("is told of a failure of a stream", async () => {
    const errors: unknown[] = [];
    const { textStream } = streamText({
      model: model(),
      prompt: "too many",
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    await (async () => {
      for await (const _piece of textStream);
    })().catch(() => {});
    expect(errors).toHaveLength(1);
  });

  it("embeds", async () => {
    const answer = await embedMany({ model: door().embedding("a/talker"), values: ["one", "three"] });
    expect(answer.embeddings).toEqual([
      [3, 0.5],
      [5, 0.5],
    ]);
    expect(answer.usage.tokens).toBe(6);
  });

  it("ends the provider's work when it is aborted", async () => {
    const controller = new AbortController();
    const { textStream } = streamText({
      model: model(),
      prompt: "endless",
      abortSignal: controller.signal,
      onError() {},
    });
    await (async () => {
      for await (const _piece of textStream) controller.abort();
    })().catch(() => {});
    while (engine.inFlight > 0 || talk.broken === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(talk.broken).toBe(1);
  });
});
