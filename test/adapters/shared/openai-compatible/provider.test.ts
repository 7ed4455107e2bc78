import { describe, expect, it } from "vitest";
import { type AnthropicOptions, anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { ChatChunk, type ChatResponse } from "../../../../src/engine/api/chat.ts";
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

const request = { model: "anthropic/claude-sonnet-4-6", messages: [{ role: "user" as const, content: "Hi" }] };

function provider(transport: PlayedTransport, options: Partial<AnthropicOptions> = {}) {
  return anthropic({ apiKey: "sk-ant-test-0123456789", transport, ...options });
}

async function whole(name: string, call: ProviderCall = recordedCall("claude-sonnet-4-6"), status = 200) {
  const transport = playedTransport({ status, bodies: [readAnswer(`anthropic/${name}.json`)] });
  return (await provider(transport).chat?.(request, call)) as ChatResponse;
}

function stream(name: string, call: ProviderCall = recordedCall("claude-sonnet-4-6")) {
  return collect(
    provider(playedTransport({ pieces: [readBytes(`anthropic/${name}.sse`)] })).streamChat?.(request, call),
  );
}

describe("a stream", () => {
  it.each(pairedNames("anthropic"))(
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

  it("without a role, a text or an end of its own is still read", async () => {
    const events = [
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
    ];
    const pieces = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    const chunks = await collect(provider(playedTransport({ pieces })).streamChat?.(request, recordedCall("m")));
    expect(textOf(chunks)).toBe("Hi");
    expect(chunks[0]).toMatchObject({ id: "01jd0000000000000000000000", model: "m" });
  });

  it("that has a stop reason is complete without its last event", async () => {
    const chunks = await stream("no-message-stop");
    expect(textOf(chunks)).toBe("All of it");
    expect(chunks.at(-1)?.usage?.completion_tokens).toBe(19);
  });

  it("that has none is broken", async () => {
    expect((await failureOf(stream("cut"))).code).toBe("upstream_stream_broken");
  });

  it("survives one event that cannot be read and events of tomorrow", async () => {
    const call = recordedCall("claude-sonnet-4-6");
    expect(textOf(await stream("unreadable-event", call))).toBe("before after");
    expect(call.warnings).toEqual(["one event of the stream could not be read and was skipped"]);
  });

  it("ends in the vendor's own error, with the status of its type", async () => {
    const failed = await failureOf(stream("overloaded"));
    expect(failed).toMatchObject({
      code: "upstream_error",
      status: 529,
      upstream: { status: 529, type: "overloaded_error", code: "overloaded_error", message: "Overloaded" },
    });
  });
});

describe("errors", () => {
  it.each([
    [400, "invalid_request_error", "invalid_request_error", "prompt is too long: 215231 tokens > 200000 maximum"],
    [401, "authentication_error", "authentication_error", "invalid x-api-key"],
    [429, "rate_limit_error", "ramp_limit_exceeded", "This request would exceed the rate limit for your organization."],
    [529, "overloaded_error", "overloaded_error", "Overloaded"],
  ])("%d keeps the vendor's words", async (...[status, type, code, message]) => {
    const failed = await failureOf(whole(`fault-${status}`, undefined, status));
    expect(failed).toMatchObject({
      code: "upstream_error",
      status,
      provider: "anthropic",
      upstream: { status, type, code, message },
    });
  });
});

describe("requests", () => {
  it("go to the Messages API with key, version, beta features and further headers", async () => {
    const transport = playedTransport({ bodies: [readAnswer("anthropic/text.json")] });
    const options = {
      beta: ["a-2026-01-01", "b-2026-02-02"],
      headers: { "X-Team": "blue" },
      baseUrl: "https://proxy.example/root/",
    };
    await provider(transport, options).chat?.(request, recordedCall("claude-sonnet-4-6"));
    const [asked] = transport.asked;
    expect(asked?.url).toBe("https://proxy.example/root/v1/messages");
    expect(asked?.headers).toMatchObject({
      "x-api-key": "sk-ant-test-0123456789",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "a-2026-01-01,b-2026-02-02",
      "x-team": "blue",
    });
    expect(asked?.body).toEqual({
      model: "claude-sonnet-4-6",
      max_tokens: 32_000,
      messages: [{ role: "user", content: "Hi" }],
    });
  });

  it("for a stream say so, and name another version where one is chosen", async () => {
    const transport = playedTransport({ pieces: [readBytes("anthropic/text.sse")] });
    await collect(provider(transport, { version: "2026-10-21" }).streamChat?.(request, recordedCall("m")));
    expect(transport.asked[0]).toMatchObject({
      body: { stream: true },
      headers: { "anthropic-version": "2026-10-21" },
    });
  });

  it("that cannot be written fail when the stream is read, not before", async () => {
    const bad = { ...request, messages: [{ role: "tool" as const, content: "x" }] };
    const chunks = provider(playedTransport({})).streamChat?.(bad, recordedCall("m"));
    expect((await failureOf(collect(chunks))).param).toBe("messages.0.tool_call_id");
  });

  it("need a key", () => {
    expect(() => anthropic({ apiKey: " " })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", param: "apiKey" }),
    );
  });
});

describe("the list of models", () => {
  it("is read page after page", async () => {
    const transport = playedTransport({
      bodies: readPages("anthropic/models.json"),
    });
    const models = (await provider(transport).listModels?.(recordedCall(""))) as Model[];
    expect(transport.asked.map(({ url }) => new URL(url).search)).toEqual([
      "?limit=1000",
      "?limit=1000&after_id=claude-sonnet-5-5",
    ]);
    for (const model of models) expect(Model.safeParse(model).error).toBeUndefined();
    expect(models.map(({ id }) => id)).toEqual([
      "claude-opus-5-5",
      "claude-sonnet-5-5",
      "claude-haiku-4-5-20251001",
      "claude-of-unknown-date",
    ]);
    expect(models[0]).toEqual({
      id: "claude-opus-5-5",
      name: "Claude Opus 5.5",
      owned_by: "anthropic",
      created: 1_790_035_200,
      context_length: 1_000_000,
      max_input_tokens: 1_000_000,
      max_output_tokens: 128_000,
      architecture: { input_modalities: ["text", "image", "file"], output_modalities: ["text"] },
    });
    expect(models[3]).toEqual({ id: "claude-of-unknown-date", owned_by: "anthropic" });
  });

  it("that cannot be read is said to be so", async () => {
    const listing = provider(playedTransport({ bodies: [{ models: [] }] })).listModels?.(recordedCall(""));
    expect((await failureOf(listing as Promise<unknown>)).code).toBe("upstream_invalid_response");
  });
});
