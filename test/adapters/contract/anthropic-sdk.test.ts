import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { toWire } from "../../../adapters/shared/anthropic/to-wire.ts";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import { pairedNames, readAnswer, readBytes, recordedCall } from "../../fixtures/native.ts";

/** The vendor's own SDK, without a network. */
function sdk(respond: (body: unknown) => Response): Anthropic {
  const fetch = async (_url: unknown, init?: { body?: unknown }) => respond(JSON.parse(String(init?.body)));
  return new Anthropic({ apiKey: "k", maxRetries: 0, fetch: fetch as typeof globalThis.fetch });
}

describe("the vendor's own SDK", () => {
  it.each(pairedNames("anthropic"))(
    "reads the stream of %s as the whole answer that our fixture says it is",
    async (name) => {
      const bytes = readBytes(`anthropic/${name}.sse`);
      const client = sdk(() => new Response(bytes, { headers: { "content-type": "text/event-stream" } }));
      const stream = client.messages.stream({ model: "m", max_tokens: 1, messages: [{ role: "user", content: "Hi" }] });
      const { content, id, stop_reason, stop_sequence, usage } = await stream.finalMessage();
      const expected = readAnswer(`anthropic/${name}.json`) as Anthropic.Message;
      expect({ content: withoutNulls(content), id, stop_reason, stop_sequence }).toEqual({
        content: withoutNulls(expected.content),
        id: expected.id,
        stop_reason: expected.stop_reason,
        stop_sequence: expected.stop_sequence,
      });
      expect(usage.output_tokens).toBe(expected.usage.output_tokens);
    },
  );

  it("writes a request of ours as we write it", async () => {
    const request: ChatRequest = {
      model: "anthropic/claude-opus-5-5",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral", ttl: "1h" } }] },
        {
          role: "assistant",
          content: "Wait",
          reasoning_details: [{ type: "reasoning.text", index: 0, text: "Hm", signature: "c2ln" }],
          tool_calls: [{ id: "toolu_1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
        },
        { role: "tool", tool_call_id: "toolu_1", content: "done" },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }],
      reasoning: { effort: "high" },
      max_completion_tokens: 100,
    };
    const call = recordedCall("claude-opus-5-5");
    const ours = toWire(request, {
      provider: "anthropic",
      call,
      maxTokens: undefined,
      version: "2026-10-21",
      isStream: false,
    });
    const sent: unknown[] = [];
    const client = sdk((body) => {
      sent.push(body);
      return Response.json(readAnswer("anthropic/text.json"));
    });
    await client.messages.create({
      model: "claude-opus-5-5",
      max_tokens: 100,
      system: [{ type: "text", text: "Be brief." }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral", ttl: "1h" } }] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Hm", signature: "c2ln" },
            { type: "text", text: "Wait" },
            { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "done" }] },
      ],
      tools: [{ name: "f", input_schema: { type: "object", properties: {} } }],
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
    });
    expect(sent).toEqual([JSON.parse(JSON.stringify(ours))]);
    expect(call.warnings).toEqual([]);
  });
});

/** Citations that are none are null here and absent there. */
function withoutNulls(content: readonly object[]): unknown {
  return JSON.parse(JSON.stringify(content), (_key, value) =>
    value === null || (Array.isArray(value) && value.length === 0) ? undefined : value,
  );
}
