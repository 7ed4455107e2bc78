import { describe, expect, it } from "vitest";
import { eventDecoder as claudeDecoder } from "../../../../../adapters/shared/anthropic/events.ts";
import { eventDecoder as geminiDecoder } from "../../../../../adapters/shared/gemini/events.ts";
import type { HttpClient } from "../../../../../adapters/shared/http/client.ts";
import { chunkReader } from "../../../../../adapters/shared/openai-compatible/response/chunks.ts";
import type { Usage } from "../../../../../src/engine/api/usage.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";

/** A call, and what it is told of usage on the way. */
function listening() {
  const told: Usage[] = [];
  const call = { id: "c", model: "m", startedAt: 0, warn: () => {}, used: (usage: Usage) => void told.push(usage) };
  return { told, of: { provider: "p", call, fault: () => new GatewayError("upstream_error", "no") } };
}

describe("what a vendor says of usage in the middle of a stream", () => {
  it("Anthropic: the prompt at the start, with what came from its cache, and the answer with the reason for its end", () => {
    const { told, of } = listening();
    const decoder = claudeDecoder(of);
    const start = { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 3 };
    decoder.read(JSON.stringify({ type: "message_start", message: { usage: start } }), []);
    const prompt = { prompt_tokens: 100, prompt_tokens_details: { cached_read_tokens: 90, cached_write_tokens: 5 } };
    expect(told).toEqual([{ ...prompt, completion_tokens: 0, total_tokens: 100 }]);
    const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 40 } };
    decoder.read(JSON.stringify(end), []);
    expect(told.slice(1)).toEqual([{ ...prompt, completion_tokens: 40, total_tokens: 140 }]);
  });

  it("Gemini: both with every event that has them", () => {
    const { told, of } = listening();
    const decoder = geminiDecoder(of);
    const event = (text: string, candidatesTokenCount?: number) => {
      const usage = { promptTokenCount: 10, cachedContentTokenCount: 8, thoughtsTokenCount: 4, candidatesTokenCount };
      const candidates = [{ content: { parts: [{ text }] } }];
      return JSON.stringify({ candidates, ...(candidatesTokenCount === undefined ? {} : { usageMetadata: usage }) });
    };
    for (const data of [event("a", 1), event("b"), event("c", 3)]) decoder.read(data, []);
    const usage = (completion_tokens: number) => ({
      prompt_tokens: 10,
      completion_tokens,
      total_tokens: 10 + completion_tokens,
      prompt_tokens_details: { cached_read_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    expect(told).toEqual([usage(5), usage(7)]);
  });

  it("OpenAI's dialect: where a chunk has it", () => {
    const { told, of } = listening();
    const http = {} as HttpClient; // is asked for errors alone
    const reader = chunkReader({ ...of, http, call: { ...of.call, signal: new AbortController().signal } as never });
    const chunk = (completion_tokens: number) => ({
      choices: [{ index: 0, delta: { content: "a" }, finish_reason: null }],
      usage: { prompt_tokens: 10, completion_tokens, total_tokens: 10 + completion_tokens },
    });
    reader.read([{ data: JSON.stringify(chunk(1)) }, { data: JSON.stringify(chunk(2)) }]);
    expect(told).toMatchObject([{ completion_tokens: 1 }, { completion_tokens: 2, total_tokens: 12 }]);
  });

  it("nothing is told where nothing is said, or nothing that is a count", () => {
    const { told, of } = listening();
    claudeDecoder(of).read(JSON.stringify({ type: "message_start", message: {} }), []);
    claudeDecoder(of).read(JSON.stringify({ type: "message_start", message: { usage: { input_tokens: "x" } } }), []);
    geminiDecoder(of).read(JSON.stringify({ candidates: [], usageMetadata: {} }), []);
    expect(told).toEqual([]);
  });
});
