import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import { local } from "../../../../adapters/providers/local/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { createEngine, type EngineOptions } from "../../../../src/index.ts";
import { playedTransport } from "../../../fixtures/native.ts";

/** A gateway whose vendors answer with these counts, and the official clients before it. */
function gateway(options: Partial<EngineOptions> = {}, status = 200) {
  const claude = playedTransport({ status, bodies: [{ input_tokens: 2_095 }] });
  const google = playedTransport({ status, bodies: [{ totalTokens: 31, promptTokensDetails: [] }] });
  const providers = [
    local(),
    anthropic({ apiKey: "k", transport: claude }),
    gemini({ apiKey: "k", transport: google }),
  ];
  const engine = createEngine({ providers, ...options });
  const fetch = engine.fetch as typeof globalThis.fetch;
  const clients = (apiKey = "unused") => ({
    anthropic: new Anthropic({ apiKey, baseURL: "http://gateway/anthropic", fetch, maxRetries: 0 }),
    google: (model: string, contents: string) =>
      fetch(`http://gateway/genai/v1beta/models/${model}:countTokens`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-goog-api-key": apiKey },
        body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: contents }] }] }),
      }),
  });
  return { engine, claude, google, clients };
}

const messages = [{ role: "user" as const, content: "How long is this?" }];
const tools = [{ name: "weather", description: "Weather", input_schema: { type: "object" as const } }];

describe("counting tokens", () => {
  it("of Claude is asked at Anthropic, as its own count, with all that counts and nothing else", async () => {
    const { clients, claude } = gateway();
    const model = "anthropic/claude-sonnet-4-6";
    const count = await clients().anthropic.messages.countTokens({ model, messages, tools, system: "Be brief." });
    expect(count.input_tokens).toBe(2_095);
    const [asked] = claude.asked;
    expect(asked?.url).toBe("https://api.anthropic.com/v1/messages/count_tokens");
    expect(asked?.body).toEqual({
      model: "claude-sonnet-4-6",
      system: [{ type: "text", text: "Be brief." }],
      messages,
      tools: [expect.objectContaining({ name: "weather" })],
    });
  });

  it("of a Responses request is the vendor's, or an estimate, in both places; what only OpenAI knows is refused", async () => {
    const { engine } = gateway();
    const count = (model: string, more: object = {}, base = "/v1") =>
      engine.fetch(`http://gateway${base}/responses/input_tokens`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model, input: "How long is this?", ...more }),
      });
    const counted = await count("anthropic/claude-sonnet-4-6");
    expect(await counted.json()).toEqual({ object: "response.input_tokens", input_tokens: 2_095 });
    const estimated = await count("local/echo", {}, "/openai/v1");
    expect((await estimated.json()) as object).toMatchObject({ object: "response.input_tokens" });
    expect((await count("local/echo", { previous_response_id: "resp_1" })).status).toBe(400);
  });

  it("of Gemini is asked at Google, with contents alone or a whole request, also across dialects", async () => {
    const { clients, google } = gateway();
    const model = "gemini/gemini-2.5-flash";
    const answer = await clients().google(model, "How long is this?");
    expect(await answer.json()).toEqual({ totalTokens: 31 });
    const contents = [{ role: "user", parts: [{ text: "How long is this?" }] }];
    expect(google.asked[0]?.url).toBe(
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:countTokens",
    );
    expect(google.asked[0]?.body).toEqual({ generateContentRequest: { model: "models/gemini-2.5-flash", contents } });
    const crossed = gateway();
    expect((await crossed.clients().anthropic.messages.countTokens({ model, messages })).input_tokens).toBe(31);
    expect(crossed.google.asked).toHaveLength(1);
  });

  it("works through Google's own client", async () => {
    const { engine } = gateway();
    const inProcess = globalThis.fetch;
    globalThis.fetch = engine.fetch as typeof fetch; // its client takes no other way in
    try {
      const client = new GoogleGenAI({ apiKey: "unused", httpOptions: { baseUrl: "http://gateway/genai" } });
      const counted = await client.models.countTokens({ model: "gemini/gemini-2.5-flash", contents: "How long?" });
      expect(counted.totalTokens).toBe(31);
    } finally {
      globalThis.fetch = inProcess;
    }
  });

  it("of a model whose vendor does not count is an estimate, which grows with the prompt and says what it is", async () => {
    const { clients } = gateway();
    const short = await clients().anthropic.messages.countTokens({ model: "local/echo", messages }).withResponse();
    expect(short.response.headers.get("x-tg-warnings")).toContain("estimate");
    const longer = [{ role: "user" as const, content: "How long is this? ".repeat(50) }];
    const long = await clients().anthropic.messages.countTokens({ model: "local/echo", messages: longer });
    expect(short.data.input_tokens).toBeGreaterThan(0);
    expect(long.input_tokens).toBeGreaterThan(short.data.input_tokens + 100);
  });

  it("is for those who may ask the model, and costs nothing", async () => {
    const { engine, clients, claude } = gateway({ store: memoryStore() });
    const provider_configs = [{ provider: "local", allowed_models: ["*"] }];
    const budgets = [{ max_limit: 0.000001, reset_duration: "1d" as const }];
    const { value } = await engine.keys.create({ name: "k", provider_configs, budgets });
    const count = (key: string, model: string) => clients(key).anthropic.messages.countTokens({ model, messages });
    await expect(count("sk-tg-nobody", "local/echo")).rejects.toMatchObject({ status: 401 });
    await expect(count(value, "anthropic/claude-sonnet-4-6")).rejects.toMatchObject({ status: 403 });
    expect(claude.asked).toEqual([]);
    expect((await count(value, "local/echo")).input_tokens).toBeGreaterThan(0);
    expect((await count(value, "local/echo")).input_tokens).toBeGreaterThan(0);
    expect(engine.inFlight).toBe(0);
  });

  it("passes on what the vendor refuses, in the dialect of the client, and leaves the model's circuit alone", async () => {
    const { engine, clients } = gateway({ circuit: { consecutive: 1 } }, 529);
    const model = "anthropic/claude-sonnet-4-6";
    await expect(clients().anthropic.messages.countTokens({ model, messages })).rejects.toMatchObject({ status: 529 });
    expect(engine.health().map(({ target }) => target)).not.toContain(model);
    await expect(engine.countTokens({ model: "nobody/x", messages })).rejects.toMatchObject({
      code: "provider_not_found",
    });
  });
});
