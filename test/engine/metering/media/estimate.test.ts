import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { ChatRequest } from "../../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../../src/engine/api/message.ts";
import { boundDecision } from "../../../../src/engine/decisions/cost-bound.ts";
import { priceUsage } from "../../../../src/engine/metering/cost.ts";
import { boundCost } from "../../../../src/engine/metering/cost-bound.ts";
import { boundAudio, boundImage } from "../../../../src/engine/metering/media.ts";
import { boundText } from "../../../../src/engine/metering/prompt.ts";
import { boundChat, boundEmbedding, boundRerank } from "../../../../src/engine/metering/usage-bound.ts";

const facts = { model: "gpt-4o", context_length: 128_000, max_output_tokens: 16_384 };
const ask = (message: Partial<ChatMessage>, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "openai/gpt-4o",
  messages: [{ role: "user", content: "", ...message }],
  ...more,
});
const promptOf = (request: ChatRequest) => boundChat(request, facts).prompt;
const empty = promptOf(ask({})).soft;

describe("the bound of a prompt", () => {
  it("of a text is its UTF-8 bytes, or those of a normal form where that is longer", () => {
    expect(["", "abc", "é", "漢", "👍", "\ud800", "ﷺ"].map(boundText)).toEqual([0, 3, 3, 3, 4, 3, 33]);
  });

  it("leaves room for what the chat format adds to every message", () => {
    const messages: ChatMessage[] = Array.from({ length: 100 }, () => ({ role: "user", content: "" }));
    expect(promptOf({ model: "m", messages }).soft).toBeGreaterThanOrEqual(100 * 7);
  });

  it.each<[string, Partial<ChatMessage>, number]>([
    ["text", { content: "hello" }, 5],
    [
      "parts of text",
      {
        content: [
          { type: "text", text: "hel" },
          { type: "text", text: "lo" },
        ],
      },
      5,
    ],
    ["a refusal", { refusal: "no" }, 2],
    ["a refusal as a part", { content: [{ type: "refusal", refusal: "no" }] }, 2],
    ["a name", { name: "bob" }, 3],
    ["reasoning", { reasoning: "because" }, 7],
    [
      "reasoning that goes back encrypted",
      { reasoning_details: [{ type: "reasoning.encrypted", data: "A".repeat(500) }] },
      500,
    ],
    ["a call of a tool", { tool_calls: [{ id: "1", function: { name: "f", arguments: "A".repeat(90) } }] }, 90],
    ["the id of a tool's answer", { role: "tool", tool_call_id: "call_1" }, 6],
  ])("counts %s", (_, message, bytes) => {
    const grown = promptOf(ask(message)).soft - empty;
    expect(grown).toBeGreaterThanOrEqual(bytes);
    expect(grown).toBeLessThan(bytes + 80);
  });

  it.each<[string, ChatRequest]>([
    ["the request", ask({}, { functions: [{ name: "f", description: "A".repeat(500) }] })],
    ["a message", ask({ reasoning_content: "A".repeat(500) })],
    ["a part", ask({ content: [{ type: "text", text: "", documents: ["A".repeat(500)] }] })],
    ["a part, where another type has it", ask({ content: [{ type: "text", text: "", refusal: "A".repeat(500) }] })],
  ])("counts fields of %s that nobody here knows, since they are passed on", (_, request) => {
    const grown = promptOf(request).hard - empty;
    expect(grown).toBeGreaterThanOrEqual(500);
    expect(grown).toBeLessThan(600);
  });

  it("counts no field of a request that is no part of the prompt", () => {
    const parts = ["messages", "tools", "response_format", "prediction", "web_search_options", "anthropic"];
    const names = Object.keys(ChatRequest.shape).filter((name) => ![...parts, "n"].includes(name));
    const fields = Object.fromEntries(names.map((name) => [name, "A".repeat(500)]));
    expect(promptOf({ ...fields, ...ask({}) }).soft).toBe(empty);
  });

  it("counts the schema of the wanted answer", () => {
    const response_format = { type: "json_schema", json_schema: { schema: { title: "A".repeat(300) } } };
    expect(promptOf(ask({}, { response_format })).soft - empty).toBeGreaterThanOrEqual(300);
  });

  it("takes an image for the most that the model counts for one, and sound by its bytes", () => {
    const image: ChatMessage = {
      role: "user",
      content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(9_000)}` } }],
    };
    expect(boundChat(ask(image), facts)).toMatchObject({ images: 1_445, prompt: { soft: empty + 1_445 } });
    const data = "A".repeat(40_000);
    const sound: ChatMessage = {
      role: "user",
      content: [{ type: "input_audio", input_audio: { data, format: "wav" } }],
    };
    expect(boundChat(ask(sound), facts)).toMatchObject({ audio: 60 * 32, prompt: { soft: empty + 60 * 32 } });
  });

  it.each([
    ["gpt-4o-mini-2024-07-18", 48_169],
    ["gpt-4o", 1_445],
    ["claude-opus-4-8", 4_784],
    ["gemini-3.8-flash", 2_240],
    ["gemini-2.5-flash", 10_320],
    ["gpt-6-astra", 36_900],
    ["", 36_900],
  ])("an image for %j is at most %d tokens", (model, tokens) => expect(boundImage(model)).toBe(tokens));

  it("a second of sound is at least 32 tokens, however thin it is", () => {
    expect(boundAudio("A".repeat(Math.ceil((500 * 4) / 3)))).toBeGreaterThanOrEqual(32);
  });

  it("is never more than the model's window", () => {
    expect(promptOf(ask({ content: "x".repeat(1_000_000) }))).toEqual({ hard: 128_000, soft: 128_000 });
    const limited = boundChat(ask({ content: "x".repeat(9_000) }), { ...facts, max_input_tokens: 8_000 });
    expect(limited.prompt.hard).toBe(8_000);
    expect(boundChat(ask({ content: "x".repeat(2_000_000) })).prompt.hard).toBe(1_048_576);
  });

  it.each<[string, ChatRequest]>([
    ["a file", ask({ content: [{ type: "file", file: { file_id: "f" } }] })],
    ["an earlier spoken answer", ask({ role: "assistant", audio: { id: "a" } })],
    ["searching", ask({}, { web_search_options: {} })],
  ])("is the whole window for a hard budget where %s makes its size unknown", (_, request) => {
    const { hard, soft } = promptOf(request);
    expect(hard).toBe(128_000);
    expect(soft).toBeLessThan(20_000);
  });
});

describe("the bound of an answer", () => {
  const answerOf = (more: Partial<ChatRequest>) => boundChat(ask({}, more), facts).completion;

  it("is what was asked for, else the model's largest for a hard budget and 1,024 for a soft one", () => {
    expect(answerOf({})).toEqual({ hard: 16_384, soft: 1_024 });
    expect(answerOf({ max_completion_tokens: 50 })).toEqual({ hard: 50, soft: 50 });
    expect(answerOf({ max_completion_tokens: 50_000 })).toEqual({ hard: 16_384, soft: 16_384 });
  });

  it("is the model's largest for a hard budget where the target does not keep to the limit", () => {
    const bound = boundChat(ask({}, { max_completion_tokens: 50 }), { ...facts, ignoresOutputLimit: true });
    expect(bound.completion).toEqual({ hard: 16_384, soft: 50 });
  });

  it("is that of all choices together", () => {
    expect(answerOf({ n: 3, max_completion_tokens: 50 })).toEqual({ hard: 150, soft: 150 });
  });

  it("has a prediction beside it, whose rejected tokens are billed", () => {
    const prediction = { type: "content" as const, content: "A".repeat(100) };
    expect(answerOf({ prediction }).soft - answerOf({}).soft).toBeGreaterThanOrEqual(100);
  });
});

describe("the bounds of the other verbs", () => {
  it("of embeddings have no answer", () => {
    expect(boundEmbedding({ model: "m", input: ["ab", "漢"] })).toMatchObject({ completion: { hard: 0, soft: 0 } });
  });

  it("of reranking count a query for each begun hundred documents, long ones as several", () => {
    const documents = (count: number, text: string) => Array.from({ length: count }, () => ({ text }));
    const queries = (count: number, text: string) =>
      boundRerank({ model: "m", query: "q", documents: documents(count, text) }).queries;
    expect([queries(100, "d"), queries(101, "d"), queries(100, "x".repeat(600))]).toEqual([1, 2, 2]);
  });

  it("of decisions count what is passed on to a chat model with every question", () => {
    const questions = { a: { kind: "noul" as const } };
    const bare = boundDecision({ model: "m", state: "s", questions });
    const more = boundDecision({ model: "m", state: "s", questions, prompt: "A".repeat(500), n: 9, tools: [] });
    expect(more.prompt.hard - bare.prompt.hard).toBeGreaterThanOrEqual(500);
    expect(more.prompt.hard - bare.prompt.hard).toBeLessThan(520);
  });

  it("of decisions count the state with every question", () => {
    const state = "s".repeat(1_000);
    const question = { kind: "choice" as const, criteria: { yes: null, no: null } };
    const one = boundDecision({ model: "m", state, questions: { a: question } });
    const two = boundDecision({ model: "m", state, questions: { a: question, b: question } });
    expect(one.prompt.hard).toBeGreaterThan(1_000);
    expect(two.prompt.hard).toBe(2 * one.prompt.hard);
    expect(two.completion.hard).toBe(2 * one.completion.hard);
    const listed = boundDecision({ model: "m", input: state, questions: [{ type: "predicate" }] });
    expect(listed.prompt.hard).toBeGreaterThan(1_000);
  });
});

describe("the reserved cost", () => {
  it("of images and sound is what they cost over text", () => {
    const rates = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
    const image = ask({ content: [{ type: "image_url", image_url: { url: "https://example.com" } }] });
    const bound = boundChat(image, facts);
    const dearer = boundCost(bound, { ...rates, input_cost_per_image_token: 3e-6 })?.soft ?? Number.NaN;
    expect(dearer - (boundCost(bound, rates)?.soft ?? 0)).toBe(1_445 * 2_000);
  });

  it.each([
    ["perplexity/sonar", 1, {}],
    ["perplexity/sonar-pro", 1, {}],
    ["perplexity/sonar-deep-research", 74, {}],
    ["openai/gpt-4o-search-preview", 1, { web_search_options: {} }],
    ["anthropic/claude-sonnet-4-5", 12, { web_search_options: {} }],
  ])("holds the searches of %s, asked for or not", (name, searches, wish) => {
    const [provider = "", model = ""] = name.split("/");
    const known = catalogue().find(provider, model, Date.UTC(2026, 10, 20));
    const rates = known?.rates ?? {};
    const bound = boundChat({ model, messages: [], ...wish }, known);
    // The longest answer that is within the bounds, so that nothing but the searches is left to be covered.
    const prompt_tokens = bound.prompt.hard;
    const completion_tokens = bound.completion.hard;
    const usage = {
      prompt_tokens,
      completion_tokens,
      total_tokens: prompt_tokens + completion_tokens,
      completion_tokens_details: { num_search_queries: searches },
      search_context_size: "high",
    };
    const bill = priceUsage({ usage }, rates);
    expect(bill?.items.find(({ unit }) => unit === "search_queries")?.quantity).toBe(searches);
    expect(bill?.total).toBeLessThanOrEqual(boundCost(bound, rates)?.hard ?? 0);
  });

  it("of what is free is nothing: no budget refuses it, not even one of 0", () => {
    const bound = boundChat(ask({ content: "hello" }), facts);
    expect(boundCost(bound, { input_cost_per_token: 0, output_cost_per_token: 0 })).toEqual({ hard: 0, soft: 0 });
    expect(boundCost(bound, { input_cost_per_request: 0 })).toEqual({ hard: 0, soft: 0 });
    const rated = { input_cost_per_token: 0, output_cost_per_token: 0, output_cost_per_token_priority: 1e-6 };
    expect(boundCost(bound, rated, "priority")?.soft).toBeGreaterThan(0);
  });

  it("of a price that no budget holds is the largest amount there is", () => {
    const bound = boundChat(ask({ content: "x".repeat(100_000) }), facts);
    expect(boundCost(bound, { input_cost_per_token: 900, output_cost_per_token: 900 })?.hard).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });
});
