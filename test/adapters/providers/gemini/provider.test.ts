import { describe, expect, it } from "vitest";
import { type GeminiOptions, gemini } from "../../../../adapters/providers/gemini/index.ts";
import { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { EmbeddingResponse } from "../../../../src/engine/api/embeddings.ts";
import { Model } from "../../../../src/engine/api/models.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import {
  collect,
  failureOf,
  type PlayedTransport,
  pairedNames,
  playedTransport,
  readAnswer,
  readBytes,
  readPages,
  recordedCall,
  textOf,
} from "../../../fixtures/native.ts";

const request = { model: "gemini/gemini-3.8-flash", messages: [{ role: "user" as const, content: "Hi" }] };

function provider(transport: PlayedTransport, options: Partial<GeminiOptions> = {}) {
  return gemini({ apiKey: "AIza-test-0123456789", transport, ...options });
}

function stream(name: string, call: ProviderCall = recordedCall("gemini-3.8-flash")) {
  return collect(provider(playedTransport({ pieces: [readBytes(`gemini/${name}.sse`)] })).streamChat?.(request, call));
}

describe("a stream", () => {
  it.each(pairedNames("gemini"))(
    "%s is valid on the wire, role first, finish reason once, usage last",
    async (name) => {
      const chunks = await stream(name);
      for (const chunk of chunks) expect(ChatChunk.safeParse(chunk).error).toBeUndefined();
      expect(chunks[0]?.choices[0]?.delta).toEqual({ role: "assistant" });
      const reasons = chunks.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason));
      expect(reasons.filter((reason) => reason !== null)).toEqual([reasons.at(-1)]);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    },
  );

  it("whose every event says that it is the end is read to its end", async () => {
    const pieces = ["One ", "two"].map((text) =>
      Buffer.from(
        `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, finishReason: "STOP" }] })}\n\n`,
      ),
    );
    const chunks = await collect(provider(playedTransport({ pieces })).streamChat?.(request, recordedCall("m")));
    expect(textOf(chunks)).toBe("One two");
    expect(chunks.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason))).toEqual([
      null,
      null,
      null,
      "stop",
    ]);
  });

  it("that ends without a finish reason is broken", async () => {
    expect((await failureOf(stream("cut"))).code).toBe("upstream_stream_broken");
  });

  it("with a candidate that did not come to its end is broken", async () => {
    const candidates = [
      { index: 0, finishReason: "STOP" },
      { index: 1, content: { parts: [{ text: "Half" }] } },
    ];
    const pieces = [Buffer.from(`data: ${JSON.stringify({ candidates })}\n\n`)];
    const reading = collect(provider(playedTransport({ pieces })).streamChat?.(request, recordedCall("m")));
    expect((await failureOf(reading)).code).toBe("upstream_stream_broken");
  });

  it("survives one event that cannot be read", async () => {
    const call = recordedCall("gemini-3.8-flash");
    expect(textOf(await stream("unreadable-event", call))).toBe("before after");
    expect(call.warnings).toEqual(["one event of the stream could not be read and was skipped"]);
  });

  it("ends in the vendor's own error, with its status", async () => {
    expect(await failureOf(stream("unavailable"))).toMatchObject({
      code: "upstream_error",
      status: 503,
      upstream: { status: 503, type: "UNAVAILABLE", code: "503", message: expect.stringContaining("overloaded") },
    });
  });
});

describe("errors", () => {
  it.each([
    [
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
    [403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key."],
    [429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."],
    [503, "UNAVAILABLE", "The model is overloaded. Please try again later."],
  ])("%d keeps the vendor's words", async (status, type, message) => {
    const transport = playedTransport({ status, bodies: [readAnswer(`gemini/fault-${status}.json`)] });
    const failed = await failureOf(provider(transport).chat?.(request, recordedCall("m")) as Promise<unknown>);
    expect(failed).toMatchObject({
      code: "upstream_error",
      status,
      upstream: { status, type, code: String(status), message },
    });
    expect(failed.retryAfterMs).toBe(status === 429 ? 17_250 : undefined);
  });
});

describe("requests", () => {
  it("name the model and the method in the path and the key in a header, never in the address", async () => {
    const transport = playedTransport({ bodies: [readAnswer("gemini/text.json")] });
    const options = { baseUrl: "https://proxy.example/root/", headers: { "X-Team": "blue" } };
    await provider(transport, options).chat?.(request, recordedCall("gemini-3.8-flash"));
    expect(transport.asked[0]).toMatchObject({
      method: "POST",
      url: "https://proxy.example/root/v1beta/models/gemini-3.8-flash:generateContent",
      headers: { "x-goog-api-key": "AIza-test-0123456789", "x-team": "blue" },
      body: { contents: [{ role: "user", parts: [{ text: "Hi" }] }] },
    });
  });

  it("for a stream ask for events; a tuned model is named as it is", async () => {
    const transport = playedTransport({ pieces: [readBytes("gemini/text.sse")] });
    await collect(provider(transport).streamChat?.(request, recordedCall("tunedModels/my model")));
    expect(transport.asked[0]?.url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/tunedModels/my%20model:streamGenerateContent?alt=sse",
    );
  });

  it("that cannot be written fail when the stream is read, not before", async () => {
    const bad = { ...request, messages: [{ role: "tool" as const, content: "x" }] };
    const chunks = provider(playedTransport({})).streamChat?.(bad, recordedCall("m"));
    expect((await failureOf(collect(chunks))).param).toBe("messages.0.tool_call_id");
  });

  it("need a key", () => {
    expect(() => gemini({ apiKey: "" })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", param: "apiKey" }),
    );
  });
});

describe("embeddings", () => {
  const asked = { model: "gemini/gemini-embedding-001", input: ["a", "b"], dimensions: 3 };

  async function embed(
    more: object,
    body = readAnswer("gemini/embeddings.json"),
    call = recordedCall("gemini-embedding-001"),
  ) {
    const transport = playedTransport({ bodies: [body] });
    const answer = (await provider(transport).embed?.({ ...asked, ...more }, call)) as EmbeddingResponse;
    return { answer, transport };
  }

  it("are asked for in one batch, with their dimensions, and come in order", async () => {
    const { answer, transport } = await embed({});
    expect(transport.asked[0]?.url).toMatch(/\/models\/gemini-embedding-001:batchEmbedContents$/);
    expect(transport.asked[0]?.body).toEqual({
      requests: ["a", "b"].map((text) => ({
        model: "models/gemini-embedding-001",
        content: { parts: [{ text }] },
        outputDimensionality: 3,
      })),
    });
    expect(EmbeddingResponse.safeParse(answer).error).toBeUndefined();
    expect(answer).toEqual({
      object: "list",
      model: "gemini-embedding-001",
      data: [
        { object: "embedding", index: 0, embedding: [0.25, -0.5, 1] },
        { object: "embedding", index: 1, embedding: [0, 0.125, -2] },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
    });
  });

  it("of one text are asked for by themselves", async () => {
    const { answer, transport } = await embed({ input: "a" }, { embedding: { values: [1, 2] } });
    expect(transport.asked[0]?.url).toMatch(/\/models\/gemini-embedding-001:embedContent$/);
    expect(transport.asked[0]?.body).toMatchObject({ content: { parts: [{ text: "a" }] }, outputDimensionality: 3 });
    expect(answer).toMatchObject({ data: [{ index: 0, embedding: [1, 2] }] });
    expect(answer.usage).toBeUndefined();
  });

  it("in base64 are little-endian float32", async () => {
    const { answer } = await embed({ encoding_format: "base64" });
    const bytes = Buffer.from(String(answer.data[0]?.embedding), "base64");
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual([0.25, -0.5, 1]);
  });

  it.each([
    ["search_query", "RETRIEVAL_QUERY"],
    ["passage", "RETRIEVAL_DOCUMENT"],
    ["clustering", "CLUSTERING"],
    ["SEMANTIC_SIMILARITY", "SEMANTIC_SIMILARITY"],
  ])("says what the texts are for: %s is %s", async (input_type, taskType) => {
    const { transport } = await embed({ input_type });
    expect(transport.asked[0]?.body).toMatchObject({ requests: [{ taskType }, { taskType }] });
  });

  it("names `input_type` for a model that is told so in the texts", async () => {
    const call = recordedCall("gemini-embedding-2");
    const { transport } = await embed({ input_type: "query" }, undefined, call);
    expect(JSON.stringify(transport.asked[0]?.body)).not.toContain("taskType");
    expect(call.warnings).toEqual(["`input_type` is not supported by gemini"]);
  });

  it("of tokens are refused by name, unknown fields named in a warning", async () => {
    expect((await failureOf(embed({ input: [1, 2] }))).param).toBe("input");
    const call = recordedCall("gemini-embedding-001");
    await embed({ user: "u" }, undefined, call);
    expect(call.warnings).toEqual(["`user` is not supported by gemini"]);
  });

  it("that are too few are unreadable", async () => {
    expect((await failureOf(embed({}, { embeddings: [] }))).code).toBe("upstream_invalid_response");
  });
});

describe("the list of models", () => {
  it("is read page after page", async () => {
    const transport = playedTransport({ bodies: readPages("gemini/models.json") });
    const models = (await provider(transport).listModels?.(recordedCall(""))) as Model[];
    expect(transport.asked.map(({ url }) => new URL(url).search)).toEqual([
      "?pageSize=1000",
      "?pageSize=1000&pageToken=Ch1tb2RlbHMvZ2VtaW5p%3D%3D",
    ]);
    for (const model of models) expect(Model.safeParse(model).error).toBeUndefined();
    expect(models[0]).toEqual({
      id: "gemini-3.8-flash",
      name: "Gemini 3.8 Flash",
      description: "Fast and capable.",
      owned_by: "google",
      context_length: 1_048_576,
      max_input_tokens: 1_048_576,
      max_output_tokens: 65_536,
      supported_methods: ["generateContent", "countTokens", "batchGenerateContent"],
      default_parameters: { temperature: 1, top_p: 0.95 },
    });
    expect(models[1]).toMatchObject({ id: "gemini-embedding-001", supported_methods: ["embedContent"] });
  });

  it("that cannot be read is said to be so", async () => {
    const listing = provider(playedTransport({ bodies: [{ models: "none" }] })).listModels?.(recordedCall(""));
    expect((await failureOf(listing as Promise<unknown>)).code).toBe("upstream_invalid_response");
  });
});
