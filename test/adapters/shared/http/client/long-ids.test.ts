import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../../adapters/providers/anthropic/index.ts";
import { bedrock } from "../../../../../adapters/providers/bedrock/index.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { vertex } from "../../../../../adapters/providers/vertex/index.ts";
import type { ChatResponse } from "../../../../../src/engine/api/chat.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { collect, playedTransport, recordedCall } from "../../../../fixtures/native.ts";

/** A 64-bit identifier, and a number that is none; as a model writes them. */
const args = '{"id":1234567890123456789,"ids":[-9223372036854775808],"part":0.12345678901234568,"few":3}';
const usage = '{"input_tokens":7,"output_tokens":3}';

const ofAnthropic = `{"content":[{"type":"tool_use","id":"t","name":"f","input":${args}}],"stop_reason":"tool_use","usage":${usage}}`;
const ofGoogle = `{"candidates":[{"finishReason":"STOP","content":{"parts":[{"functionCall":{"name":"f","args":${args}}}]}}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":3}}`;
const ofAmazon = `{"output":{"message":{"content":[{"toolUse":{"toolUseId":"t","name":"f","input":${args}}}]}},"stopReason":"tool_use","usage":{"inputTokens":7,"outputTokens":3}}`;

const options = { apiKey: "k-0123456789" };
const cloud = { project: "p", location: "eu", accessToken: "t-0123456789" };

/** A transport that answers with a text, whole or as the one event of a stream. */
function telling(text: string) {
  const played = playedTransport({ pieces: [Buffer.from(`data: ${text}\n\n`)] });
  const headers = { "content-type": "application/json" };
  return { ...played, whole: async () => ({ status: 200, headers, body: text }) };
}

const request = { model: "any/m", messages: [{ role: "user" as const, content: "Go" }] };

describe("arguments that a vendor tells as an object keep the digits of long whole numbers", () => {
  it.each<[string, string, Provider]>([
    ["anthropic", "claude-sonnet-4-6", anthropic({ ...options, transport: telling(ofAnthropic) })],
    ["gemini", "gemini-3.8-flash", gemini({ ...options, transport: telling(ofGoogle) })],
    ["vertex", "gemini-3.8-flash", vertex({ ...cloud, transport: telling(ofGoogle) })],
    ["vertex", "claude-sonnet-4-6", vertex({ ...cloud, transport: telling(ofAnthropic) })],
    ["bedrock", "eu.anthropic.claude", bedrock({ ...options, region: "eu-central-1", transport: telling(ofAmazon) })],
  ])("%s, whole: %s", async (_name, model, provider) => {
    const answer = (await provider.chat?.(request, recordedCall(model))) as ChatResponse;
    expect(answer.choices[0]?.message.tool_calls?.[0]?.function?.arguments).toBe(args);
    expect(answer.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 });
  });

  it("gemini, streamed", async () => {
    const provider = gemini({ ...options, transport: telling(ofGoogle) });
    const chunks = await collect(provider.streamChat?.(request, recordedCall("gemini-3.8-flash")));
    const calls = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    expect(calls[0]?.function?.arguments).toBe(args);
  });
});
