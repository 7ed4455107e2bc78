import { LLMock } from "@copilotkit/aimock";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anthropic } from "../../adapters/providers/anthropic/index.ts";
import { gemini } from "../../adapters/providers/gemini/index.ts";
import { openai } from "../../adapters/providers/openai.ts";
import { createEngine, type Engine } from "../../src/index.ts";
import { inProcess, mount, type Way } from "./gateway.ts";

/** The newest official `openai` SDK against the gateway, whose providers talk to an independent mock of the vendors. */
let mock: LLMock;
let engine: Engine;
/** As each vendor's dialect has it: the mock translates. */
const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
const ways: Record<string, Way> = {};
let stop: () => Promise<void>;

beforeAll(async () => {
  mock = new LLMock({ port: 0, logLevel: "silent" } as never);
  mock.onMessage(/weather in Rome and Oslo/, {
    toolCalls: [
      { name: "weather", arguments: '{"city":"Rome"}' },
      { name: "weather", arguments: '{"city":"Oslo"}' },
    ],
  });
  mock.onMessage(/as JSON/, { content: '{"city":"Rome","degrees":21}' });
  mock.onMessage(/slowly/, { content: "one two three four five six seven eight nine ten" }, {
    latency: 50,
    chunkSize: 4,
  } as never);
  mock.onMessage(/too many/, {
    error: { message: "Slow down, please", type: "rate_limit_error", code: "rate_limit_exceeded" },
    status: 429,
  });
  mock.onMessage(/not valid/, {
    error: { message: "Bad parameter", type: "invalid_request_error", param: "messages" },
    status: 400,
  } as never);
  mock.onMessage(/Hello/, { content: "Hello to you, too.", usage });
  mock.onEmbedding(/embed me/, { embedding: [0.25, -0.5, 0.125] });
  await mock.start();
  engine = createEngine({
    providers: [
      openai({ apiKey: "sk-test", baseUrl: `${mock.url}/v1` }),
      anthropic({ apiKey: "sk-test", baseUrl: mock.url }),
      gemini({ apiKey: "test", baseUrl: mock.url }),
    ],
    retry: { retries: 0 },
  });
  const socket = await mount(engine);
  stop = socket.stop;
  ways.listener = socket;
  ways["engine.fetch"] = inProcess(engine);
});

afterAll(async () => {
  await stop();
  await engine.close();
  await mock.stop();
});

const clientOf = (way: string) => {
  const { baseUrl, fetch } = ways[way] as Way;
  return new OpenAI({ apiKey: "unused", baseURL: `${baseUrl}/v1`, fetch, maxRetries: 0 });
};
const models = ["openai/gpt-4o", "anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-flash"];
const user = (content: string) => [{ role: "user" as const, content }];
const tools = [
  {
    type: "function" as const,
    function: {
      name: "weather",
      description: "Weather of a city",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];

describe.each(["listener", "engine.fetch"])("the openai SDK over %s", (way) => {
  describe.each(models)("%s", (model) => {
    it("chat", async () => {
      const answer = await clientOf(way).chat.completions.create({ model, messages: user("Hello") });
      expect(answer.choices[0]?.message.content).toBe("Hello to you, too.");
      expect(answer.choices[0]?.finish_reason).toBe("stop");
      expect(answer.usage?.total_tokens).toBe(
        (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
      );
    });
    it("stream with usage", async () => {
      const stream = await clientOf(way).chat.completions.create({
        model,
        messages: user("Hello"),
        stream: true,
        stream_options: { include_usage: true },
      });
      let text = "";
      let last: OpenAI.ChatCompletionChunk | undefined;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        last = chunk;
      }
      expect(text).toBe("Hello to you, too.");
      expect(last?.usage).toMatchObject(usage);
    });
    it("parallel tools, whole", async () => {
      const answer = await clientOf(way).chat.completions.create({
        model,
        messages: user("weather in Rome and Oslo"),
        tools,
      });
      const calls = answer.choices[0]?.message.tool_calls ?? [];
      expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
      expect(calls.map((call) => call.type === "function" && JSON.parse(call.function.arguments))).toEqual([
        { city: "Rome" },
        { city: "Oslo" },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    });
    it("parallel tools, streamed through the SDK's own accumulator", async () => {
      const stream = clientOf(way).chat.completions.stream({
        model,
        messages: user("weather in Rome and Oslo"),
        tools,
      });
      const answer = await stream.finalChatCompletion();
      const calls = answer.choices[0]?.message.tool_calls ?? [];
      expect(calls.map((call) => call.type === "function" && JSON.parse(call.function.arguments))).toEqual([
        { city: "Rome" },
        { city: "Oslo" },
      ]);
    });
    it("JSON schema output", async () => {
      const schema = {
        type: "object",
        properties: { city: { type: "string" }, degrees: { type: "number" } },
        required: ["city", "degrees"],
        additionalProperties: false,
      };
      const answer = await clientOf(way).chat.completions.parse({
        model,
        messages: user("Rome as JSON"),
        response_format: { type: "json_schema", json_schema: { name: "weather", strict: true, schema } },
      });
      expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual({ city: "Rome", degrees: 21 });
    });
  });
  it("abort ends the stream and the provider's call", async () => {
    const settled = new Promise((resolve) => engine.on("settled", resolve));
    const stream = await clientOf(way).chat.completions.create({
      model: "openai/gpt-4o",
      messages: user("slowly"),
      stream: true,
    });
    const read = async () => {
      for await (const _chunk of stream) stream.controller.abort();
    };
    await read().catch((thrown) => expect(thrown).toBeInstanceOf(OpenAI.APIUserAbortError));
    expect(await settled).toMatchObject({ status: 499, reason: "request_cancelled" });
    expect(engine.inFlight).toBe(0);
  });
  it("embeddings, decoded from the SDK's own base64 request", async () => {
    const answer = await clientOf(way).embeddings.create({ model: "openai/text-embedding-3-small", input: "embed me" });
    expect(answer.data[0]?.embedding).toEqual([0.25, -0.5, 0.125]);
  });
  it("models, all of them", async () => {
    const ids: string[] = [];
    for await (const model of clientOf(way).models.list()) ids.push(model.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.every((id) => /^(openai|anthropic|gemini)\//.test(id))).toBe(true);
  });
  it.each([
    { content: "too many requests", type: OpenAI.RateLimitError, fields: { status: 429 } },
    {
      content: "not valid",
      type: OpenAI.BadRequestError,
      fields: { status: 400, message: expect.stringContaining("Bad parameter") },
    },
    { model: "gpt-4o", type: OpenAI.BadRequestError, fields: { status: 400, code: "invalid_model" } },
    { model: "nobody/gpt-4o", type: OpenAI.NotFoundError, fields: { status: 404, code: "provider_not_found" } },
  ])(
    "errors are the SDK's own types: $fields.status",
    async ({ content = "Hello", model = "openai/gpt-4o", type, fields }) => {
      const call = clientOf(way).chat.completions.create({ model, messages: user(content) });
      const error = await call.catch((thrown) => thrown);
      expect(error).toBeInstanceOf(type);
      expect(error).toMatchObject(fields);
    },
  );
  it("a bound that is passed names its field", async () => {
    const call = clientOf(way).chat.completions.create({
      model: "openai/gpt-4o",
      messages: user("Hello"),
      temperature: 3,
    });
    await expect(call).rejects.toMatchObject({ status: 400, param: "temperature", type: "invalid_request" });
  });
});
