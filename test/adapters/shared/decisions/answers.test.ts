import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { eventDecoder } from "../../../../adapters/shared/anthropic/events.ts";
import { ChatResponse } from "../../../../src/engine/api/chat.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import {
  failureOf,
  type PlayedTransport,
  pairedNames,
  playedTransport,
  readAnswer,
  recordedCall,
} from "../../../fixtures/native.ts";

const request = { model: "anthropic/claude-sonnet-4-6", messages: [{ role: "user" as const, content: "Hi" }] };

function provider(transport: PlayedTransport) {
  return anthropic({ apiKey: "sk-ant-test-0123456789", transport });
}

async function whole(name: string, call: ProviderCall = recordedCall("claude-sonnet-4-6")) {
  const transport = playedTransport({ bodies: [readAnswer(`anthropic/${name}.json`)] });
  return (await provider(transport).chat?.(request, call)) as ChatResponse;
}

describe("a whole answer", () => {
  it.each(pairedNames("anthropic"))("%s is valid on the wire, with usage", async (name) => {
    const answer = await whole(name);
    expect(ChatResponse.safeParse(answer).error).toBeUndefined();
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
  });

  it.each([
    ["text", "stop"],
    ["stop-sequence", "stop"],
    ["max-tokens", "length"],
    ["tools", "tool_calls"],
    ["refusal", "content_filter"],
  ])("%s ends with %s", async (name, reason) => {
    expect((await whole(name)).choices[0]?.finish_reason).toBe(reason);
  });

  it("holds text, calls with their ids, and thoughts", async () => {
    const { id, model, created, choices } = await whole("thinking-tools");
    expect({ id, model, created }).toEqual({
      id: "msg_01ThinkingTools00000001",
      model: "claude-sonnet-4-6",
      created: 1_795_132_800,
    });
    expect(choices[0]?.message).toEqual({
      role: "assistant",
      content: "Let me look that up.",
      reasoning: "The user wants the weather.\nParis is a city in France — so celsius.",
      reasoning_details: [
        {
          type: "reasoning.text",
          index: 0,
          format: "anthropic-claude-v1",
          text: "The user wants the weather.\nParis is a city in France — so celsius.",
          signature: expect.stringMatching(/^EqQB.+==$/),
        },
      ],
      tool_calls: [
        { id: "toolu_01C", type: "function", function: { name: "get_weather", arguments: '{"city":"Paris"}' } },
      ],
    });
  });

  it("counts cached reads and writes inside the prompt, keeps the hour's part and the tier", async () => {
    expect(await whole("cached")).toMatchObject({
      service_tier: "priority",
      usage: {
        prompt_tokens: 20_885,
        completion_tokens: 5,
        total_tokens: 20_890,
        prompt_tokens_details: {
          cached_read_tokens: 18_304,
          cached_write_tokens: 2_560,
          cached_write_tokens_1h: 2_048,
        },
      },
    });
  });

  it("names the sources of a web search and the places in the text that they stand for", async () => {
    const { choices, search_results, usage } = await whole("search");
    const { content, annotations = [] } = choices[0]?.message ?? {};
    const cited = annotations.map(({ url_citation: c }) => [
      String(content).slice(c?.start_index, c?.end_index),
      c?.url,
      c?.title,
    ]);
    expect(cited).toEqual([
      ["It takes 27.3 days", "https://example.org/moon", "The Moon"],
      ["tides follow", "https://example.com/tides", "Tides"],
      ["tides follow", "https://example.org/moon", "The Moon"],
    ]);
    expect(search_results).toEqual([
      { url: "https://example.org/moon", title: "The Moon", date: "November 3, 2026" },
      { url: "https://example.com/tides", title: "Tides" },
    ]);
    expect(usage?.completion_tokens_details?.num_search_queries).toBe(1);
  });

  it("of a refusal gives the vendor's reason", async () => {
    expect((await whole("refusal")).choices[0]?.message.refusal).toBe("This request was declined for safety reasons.");
  });

  it.each([[{}], [{ content: "text" }], [[]], ["text"]])("that is none is unreadable: %j", async (body) => {
    const failed = await failureOf(
      provider(playedTransport({ bodies: [body] })).chat?.(request, recordedCall("m")) as Promise<unknown>,
    );
    expect(failed.code).toBe("upstream_invalid_response");
  });

  it("warns of blocks that have no place on the wire, of a failed search and of a paused turn", async () => {
    const call = recordedCall("claude-sonnet-4-6");
    const content = [
      { type: "hologram", file_id: "file_1" },
      {
        type: "web_search_tool_result",
        content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
      },
    ];
    await provider(playedTransport({ bodies: [{ content, stop_reason: "pause_turn" }] })).chat?.(request, call);
    expect(call.warnings).toEqual([
      "a block of type hologram in the answer is left out",
      "the web search failed: max_uses_exceeded",
      expect.stringContaining("paused"),
    ]);
  });
});

it("a second message that begins inside of the first is no answer", () => {
  const call = recordedCall("claude-haiku-4-5");
  const fault = () => expect.fail("no error event came");
  const decoder = eventDecoder({ provider: "anthropic", call, fault });
  const begin = JSON.stringify({ type: "message_start", message: { id: "m", content: [] } });
  decoder.read(begin, []);
  expect(() => decoder.read(begin, [])).toThrow(expect.objectContaining({ code: "upstream_invalid_response" }));
});
