import { describe, expect, it } from "vitest";
import { cohere } from "../../../../../adapters/providers/cohere/index.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { withoutNullsWithin } from "../../../../../adapters/shared/chat/without-nulls.ts";
import type { ChatResponse } from "../../../../../src/engine/api/chat.ts";
import { parseWithIds } from "../../../../../src/engine/runtime/json/exact-json.ts";
import { collect, playedTransport, recordedCall } from "../../../../fixtures/native.ts";

/** Servers that speak a vendor's language write `null` for each field that they leave out. */
const request = { model: "any/m", messages: [{ role: "user" as const, content: "Go" }] };
const vendors = { gemini, cohere };
type Name = keyof typeof vendors;

function played(name: Name, event: unknown) {
  const transport = playedTransport({ bodies: [event], pieces: [Buffer.from(`data: ${JSON.stringify(event)}\n\n`)] });
  return vendors[name]({ apiKey: "k-0123456789", transport });
}

async function whole(name: Name, body: unknown) {
  return (await played(name, body).chat?.(request, recordedCall("m"))) as ChatResponse;
}

const none = { inlineData: null, fileData: null, functionResponse: null, thought: null, thoughtSignature: null };
const ofGemini = {
  error: null,
  promptFeedback: null,
  modelVersion: null,
  candidates: [
    {
      index: null,
      content: {
        role: "model",
        parts: [
          { ...none, text: "Hi", functionCall: null },
          { ...none, text: null, functionCall: { id: null, name: "f", args: { city: null } } },
        ],
      },
      finishReason: "STOP",
      citationMetadata: { citationSources: [null] },
      groundingMetadata: {
        groundingChunks: [null],
        groundingSupports: [{ segment: null, groundingChunkIndices: null }],
      },
      logprobsResult: null,
    },
  ],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, promptTokensDetails: [null], serviceTier: null },
};

const ofCohere = {
  id: null,
  finish_reason: "TOOL_CALL",
  message: {
    content: [{ type: "text", text: "Hi", thinking: null }],
    tool_plan: null,
    tool_calls: [{ id: null, type: "function", function: { name: "f", arguments: null } }],
    citations: [{ type: null, start: 0, end: 2, sources: null }],
  },
  logprobs: null,
  usage: { billed_units: null, tokens: { input_tokens: 3, output_tokens: 2 }, cached_tokens: null },
};

describe("a null says nothing", () => {
  it("in an answer of Gemini, but in arguments", async () => {
    const { choices, usage } = await whole("gemini", ofGemini);
    expect(choices).toMatchObject([{ index: 0, finish_reason: "tool_calls", message: { content: "Hi" } }]);
    expect(choices[0]?.message).not.toHaveProperty("reasoning_details");
    expect(choices[0]?.message.tool_calls?.[0]?.function).toEqual({ name: "f", arguments: '{"city":null}' });
    expect(usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
  });

  it("in an event of Gemini", async () => {
    const chunks = await collect(played("gemini", ofGemini).streamChat?.(request, recordedCall("m")));
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("Hi");
    expect(deltas.some(({ reasoning_details }) => reasoning_details)).toBe(false);
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(5);
  });

  it("in an answer of Cohere", async () => {
    const { choices, usage } = await whole("cohere", ofCohere);
    expect(choices).toMatchObject([{ finish_reason: "tool_calls", message: { content: "Hi" } }]);
    expect(choices[0]?.message.tool_calls?.[0]?.function).toEqual({ name: "f", arguments: "" });
    expect(usage).toEqual({ prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
  });

  it("in events of Cohere", async () => {
    const events = [
      { type: "message-start", id: null, delta: null },
      { type: "content-start", index: 0, delta: { message: { content: null } }, logprobs: null },
      { type: "content-delta", index: 0, delta: { message: { content: { text: "Hi", thinking: null } } } },
      { type: "citation-start", index: 0, delta: { message: { citations: { start: 0, end: 2, sources: null } } } },
      { type: "tool-call-start", index: 0, delta: { message: { tool_calls: null } } },
      { type: "message-end", delta: { finish_reason: "COMPLETE", error: null, usage: { tokens: null } } },
    ];
    const pieces = events.map((event) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    const provider = cohere({ apiKey: "k-0123456789", transport: playedTransport({ pieces }) });
    const chunks = await collect(provider.streamChat?.(request, recordedCall("m")));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe("Hi");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
  });
});

it("a number that keeps its digits is left alone", () => {
  const told = parseWithIds('{"a":{"id":1234567890123456789,"b":null},"c":[null,1234567890123456789]}');
  expect(JSON.stringify(withoutNullsWithin(told))).toBe('{"a":{"id":1234567890123456789},"c":[1234567890123456789]}');
});
