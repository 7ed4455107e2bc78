import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../../adapters/providers/bedrock/index.ts";
import { cohere } from "../../../../../adapters/providers/cohere/index.ts";
import { custom } from "../../../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../../../adapters/providers/openai.ts";
import { vertex } from "../../../../../adapters/providers/vertex/index.ts";
import { createEngine, type Provider } from "../../../../../src/index.ts";
import { scriptedWorld } from "../../../../../src/testing/index.ts";
import { eventFrame, framesToBytes } from "../../../../fixtures/frames.ts";

const events = (...all: object[]) => all.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const chunk = (delta: object, finish_reason: string | null) => ({
  ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m" },
  choices: [{ index: 0, delta, finish_reason }],
});
const openaiCall = { id: "a", type: "function", function: { arguments: "{}" } };
const claudeCall = { type: "tool_use", id: "a", input: {} };
const usage = { input_tokens: 1, output_tokens: 1 };
const message = { id: "m", type: "message", role: "assistant", model: "m", usage };
const geminiAnswer = {
  candidates: [{ content: { role: "model", parts: [{ functionCall: { args: {} } }] }, finishReason: "STOP" }],
};

interface NamelessVendor {
  make(send: typeof fetch): Provider;
  readonly whole: object;
  readonly stream: string | Uint8Array<ArrayBuffer>;
  readonly model?: string;
  /** Of its streams; server-sent events unless given. */
  readonly type?: string;
}

const claude = {
  whole: { ...message, content: [claudeCall], stop_reason: "tool_use" },
  stream: events(
    { type: "message_start", message: { ...message, content: [] } },
    { type: "content_block_start", index: 0, content_block: claudeCall },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
    { type: "message_stop" },
  ),
};
const place = { project: "p", location: "europe-west4", accessToken: "t" };
const response = { id: "resp_1", object: "response", created_at: 1, model: "m", status: "completed" };
const item = { type: "function_call", id: "fc_1", call_id: "a", arguments: "{}" };

/** A vendor's whole answer and its stream, both with a call that names nothing. */
const vendors: Readonly<Record<string, NamelessVendor>> = {
  custom: {
    make: (send) => custom("custom", { baseUrl: "http://vendor.example/v1", fetch: send }),
    whole: {
      ...{ id: "c", object: "chat.completion", created: 1, model: "m" },
      choices: [{ index: 0, finish_reason: "tool_calls", message: { role: "assistant", tool_calls: [openaiCall] } }],
    },
    stream: events(chunk({ tool_calls: [{ index: 0, ...openaiCall }] }, null), chunk({}, "tool_calls")),
  },
  anthropic: {
    make: (send) => anthropic({ apiKey: "k", fetch: send }),
    ...claude,
  },
  gemini: {
    make: (send) => gemini({ apiKey: "k", fetch: send }),
    whole: geminiAnswer,
    stream: events(geminiAnswer),
  },
  vertex: {
    make: (send) => vertex({ ...place, fetch: send }),
    model: "gemini-3-pro-preview",
    whole: geminiAnswer,
    stream: events(geminiAnswer),
  },
  "claude-on-vertex": {
    make: (send) => vertex({ ...place, name: "claude-on-vertex", fetch: send }),
    model: "claude-opus-4-6",
    ...claude,
  },
  bedrock: {
    make: (send) => bedrock({ apiKey: "k", region: "eu-central-1", fetch: send }),
    whole: {
      output: { message: { role: "assistant", content: [{ toolUse: { toolUseId: "a", input: {} } }] } },
      stopReason: "tool_use",
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
    stream: framesToBytes([
      eventFrame("messageStart", { role: "assistant" }),
      eventFrame("contentBlockStart", { contentBlockIndex: 0, start: { toolUse: { toolUseId: "a" } } }),
      eventFrame("contentBlockStop", { contentBlockIndex: 0 }),
      eventFrame("messageStop", { stopReason: "tool_use" }),
    ]) as Uint8Array<ArrayBuffer>,
    type: "application/vnd.amazon.eventstream",
  },
  openai: {
    make: (send) => openai({ apiKey: "k", upstream: "responses", fetch: send }),
    whole: { ...response, output: [item] },
    stream: events(
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      { type: "response.output_item.added", output_index: 0, item: { ...item, arguments: "" } },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { ...response, output: [item] } },
    ),
  },
  cohere: {
    make: (send) => cohere({ apiKey: "k", fetch: send }),
    whole: { id: "c", finish_reason: "TOOL_CALL", message: { role: "assistant", tool_calls: [openaiCall] } },
    stream: events(
      { type: "message-start", id: "c", delta: { message: { role: "assistant" } } },
      { type: "tool-call-start", index: 0, delta: { message: { tool_calls: openaiCall } } },
      { type: "tool-call-end", index: 0 },
      { type: "message-end", delta: { finish_reason: "TOOL_CALL" } },
    ),
  },
};

describe.each(Object.entries(vendors))("a call without a name in an answer of %s", (name, vendor) => {
  const { make, whole, stream, model = "m", type: streamType = "text/event-stream" } = vendor;
  const engineOver = (body: NamelessVendor["stream"], type: string) => {
    const send: typeof fetch = async () => new Response(body, { headers: { "content-type": type } });
    return createEngine({ ...scriptedWorld(), providers: [make(send)], retry: { retries: 0 } });
  };
  const request = { model: `${name}/${model}`, messages: [{ role: "user" as const, content: "go" }] };

  it("is no answer, whole", async () => {
    const engine = engineOver(JSON.stringify(whole), "application/json");
    await expect(engine.chat(request)).rejects.toMatchObject({ code: "upstream_invalid_response" });
  });
  it("is no answer, streamed", async () => {
    const read = async () => {
      for await (const _chunk of await engineOver(stream, streamType).streamChat(request));
    };
    await expect(read()).rejects.toMatchObject({ code: "upstream_invalid_response" });
  });
});
