import { describe, expect, it } from "vitest";
import { anthropic } from "../../../adapters/providers/anthropic/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../src/index.ts";
import { playedTransport } from "../../fixtures/native.ts";

const played = (body: object) => ({ apiKey: "k", transport: playedTransport({ bodies: [body] }) });

/** What the searches of an answer cost for which one was asked. */
async function searchCost(provider: Provider, model: string): Promise<number | undefined> {
  const engine = createEngine({ providers: [provider] });
  const messages = [{ role: "user" as const, content: "What is new?" }];
  const { usage, extra_fields } = await engine.chat({ model, messages, web_search_options: {} });
  await engine.close();
  expect(extra_fields?.warnings?.filter((warning) => warning.startsWith("unpriced")) ?? []).toEqual([]);
  return usage?.cost?.search_queries_cost;
}

/** An answer of Claude whose vendor counts so many searches, or says nothing of them. */
function claude(searches?: number): Provider {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const told = searches === undefined ? {} : { server_tool_use: { web_search_requests: searches } };
  const content = [{ type: "text", text: "Nothing." }];
  const head = { id: "m", type: "message", role: "assistant", model: "claude-opus-4-5", stop_reason: "end_turn" };
  return anthropic(played({ ...head, content, usage: { ...usage, ...told } }));
}

describe("searches of an answer are billed", () => {
  it("as the vendor counts them", async () => {
    expect(await searchCost(claude(2), "anthropic/claude-opus-4-5")).toBe(0.02);
    expect((await searchCost(claude(0), "anthropic/claude-opus-4-5")) ?? 0).toBe(0);
  });

  it("as none where a vendor that counts them tells none", async () => {
    expect((await searchCost(claude(), "anthropic/claude-opus-4-5")) ?? 0).toBe(0);
    const { reportsSearches: tellsSearches } = anthropic({ credentials: [{ id: "a", apiKey: "k" }] });
    expect(tellsSearches).toBe(true);
  });

  it("as one where the vendor does not count them", async () => {
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Nothing." } }];
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const answer = { id: "c", object: "chat.completion", created: 1, model: "gpt-4o-search-preview", choices, usage };
    expect(await searchCost(openai(played(answer)), "openai/gpt-4o-search-preview")).toBeGreaterThan(0);
  });
});
