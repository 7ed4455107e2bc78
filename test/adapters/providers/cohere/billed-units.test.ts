import { describe, expect, it } from "vitest";
import { cohere } from "../../../../adapters/providers/cohere/index.ts";
import { readUsage, writeUsage } from "../../../../src/engine/dialects/cohere/usage.ts";
import { priceUsage } from "../../../../src/engine/metering/cost.ts";
import { createEngine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";

const usage = {
  billed_units: { input_tokens: 10, output_tokens: 5 },
  tokens: { input_tokens: 80, output_tokens: 7 },
};
const counted = {
  prompt_tokens: 80,
  completion_tokens: 7,
  total_tokens: 87,
  billed_units: { input_tokens: 10, output_tokens: 5 },
};

/** Cohere's answer with that usage, whole or streamed. */
function answer(isStream: boolean): Response {
  const content = { type: "text", text: "hello" };
  if (!isStream) {
    const message = { role: "assistant", content: [content] };
    return Response.json({ id: "c", finish_reason: "COMPLETE", message, usage });
  }
  const events = [
    { type: "message-start", id: "c", delta: { message: { role: "assistant" } } },
    { type: "content-start", index: 0, delta: { message: { content } } },
    { type: "message-end", delta: { finish_reason: "COMPLETE", usage } },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

describe("what Cohere counts and what it charges for", () => {
  it.each([false, true])("are both in the usage, streamed: %s", async (isStream) => {
    const provider = cohere({ apiKey: "k", fetch: async () => answer(isStream) });
    const engine = createEngine({ ...scriptedWorld(), providers: [provider] });
    const request = { model: "cohere/command-a-03-2025", messages: [{ role: "user" as const, content: "Hi" }] };
    if (!isStream) return expect((await engine.chat(request)).usage).toMatchObject(counted);
    const usages: unknown[] = [];
    for await (const chunk of await engine.streamChat({ ...request, stream_options: { include_usage: true } }))
      if (chunk.usage) usages.push(chunk.usage);
    return expect(usages).toEqual([expect.objectContaining(counted)]);
  });

  it("give a bill of what is charged for", () => {
    const read = readUsage(usage);
    expect(read).toEqual(counted);
    const bill = read && priceUsage({ usage: read }, { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 });
    expect(bill?.items).toMatchObject([
      { unit: "input_tokens", quantity: 10 },
      { unit: "output_tokens", quantity: 5 },
    ]);
    expect(bill?.cost.total_cost).toBeCloseTo(20e-6, 12);
  });

  it("are written back as they were, and are one where they do not differ", () => {
    expect(writeUsage(counted)).toEqual(usage);
    expect(readUsage({ billed_units: usage.tokens, tokens: usage.tokens })).not.toHaveProperty("billed_units");
  });
});
