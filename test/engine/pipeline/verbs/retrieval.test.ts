import { describe, expect, it } from "vitest";
import { cohere } from "../../../../adapters/providers/cohere/index.ts";
import { voyage } from "../../../../adapters/providers/compatible/index.ts";
import { local } from "../../../../adapters/providers/local/index.ts";
import { openai } from "../../../../adapters/providers/openai.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { EmbeddingRequest } from "../../../../src/engine/api/embeddings.ts";
import type { Prices } from "../../../../src/engine/ports/prices.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createEngine, type Engine } from "../../../../src/index.ts";
import { playedTransport } from "../../../fixtures/native.ts";
import { engineOver } from "../../support/support.ts";

const documents = [{ text: "Rome is in Italy." }, { text: "Paris is the capital of France.", id: "d-1" }];
const asked = { query: "capital of France", documents };
const ranks = [
  { index: 0, relevance_score: 0.25 },
  { index: 1, relevance_score: 0.75 },
];

describe("what retrieval costs", () => {
  it("is the price of its search units where a vendor counts in those", async () => {
    const answer = { id: "r", results: ranks, meta: { billed_units: { search_units: 3 } } };
    const engine = createEngine({
      providers: [cohere({ apiKey: "k", transport: playedTransport({ bodies: [answer] }) })],
    });
    const { usage } = await engine.rerank({ model: "cohere/rerank-v3.5", ...asked });
    expect(usage).toMatchObject({ search_units: 3, cost: { request_cost: 0.006, total_cost: 0.006 } });
    await engine.close();
  });

  it("is the price of its tokens where a vendor counts in those", async () => {
    const answer = { data: ranks, usage: { total_tokens: 1_000_000 } };
    const engine = createEngine({
      providers: [voyage({ apiKey: "k", transport: playedTransport({ bodies: [answer] }) })],
    });
    const { usage } = await engine.rerank({ model: "voyage/rerank-2.5", ...asked });
    expect(usage).toMatchObject({ prompt_tokens: 1_000_000, cost: { input_tokens_cost: 0.05, total_cost: 0.05 } });
    await engine.close();
  });

  it("is that of all parts together, and the raw exchange has all of them", async () => {
    const part = (count: number, tokens: number) => ({
      data: Array.from({ length: count }, (_, index) => ({ index, object: "embedding", embedding: [1] })),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
    const transport = playedTransport({ bodies: [part(2048, 600_000), part(2, 400_000)] });
    const engine = createEngine({ providers: [openai({ apiKey: "k", transport })] });
    const input = Array.from({ length: 2050 }, () => "a");
    const { usage, data, extra_fields } = await engine.embed(
      { model: "openai/text-embedding-3-small", input },
      { raw: true },
    );
    expect(usage).toMatchObject({ prompt_tokens: 1_000_000, cost: { total_cost: 0.02 } });
    expect(data.length).toBe(2050);
    expect(extra_fields?.raw_response).toHaveLength(2);
    await engine.close();
  });

  it("is nothing in this process", async () => {
    const engine = createEngine({ providers: [local()] });
    const { usage, results } = await engine.rerank({ model: "local/bm25", ...asked, return_documents: true, top_n: 1 });
    expect(usage?.cost?.total_cost).toBe(0);
    expect(results).toMatchObject([{ index: 1, document: documents[1] }]);
    await engine.close();
  });
});

describe("a fallback", () => {
  it("ranks when the first vendor left documents out", async () => {
    const broken = cohere({ apiKey: "k", transport: playedTransport({ bodies: [{ results: [] }] }) });
    const engine = createEngine({ providers: [broken, local()], retry: { retries: 0 } });
    const answer = await engine.rerank({ model: "cohere/rerank-v3.5", fallbacks: ["local/bm25"], ...asked });
    expect(answer.results[0]?.index).toBe(1);
    expect(answer.extra_fields).toMatchObject({ provider: "local", model_requested: "cohere/rerank-v3.5" });
    await engine.close();
  });
});

describe("a vendor that tells no usage", () => {
  const rates = { input_cost_per_token: 0.001, input_cost_per_query: 1 };
  const prices: Prices = { version: "v", find: () => ({ provider: "a", model: "m", rates }), list: () => [] };
  const silent: Provider = {
    name: "a",
    embed: async () => ({ object: "list", model: "m", data: [] }),
    rerank: async () => ({ model: "m", results: [] }),
  };
  const billed = async (ask: (engine: Engine) => Promise<{ usage?: unknown }>) => {
    const store = memoryStore();
    const { engine } = engineOver([silent], { prices, store });
    expect((await ask(engine)).usage).toBeUndefined();
    const { entries } = await store.ledger.entries({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 10 });
    const [attempt] = entries[0]?.attempts ?? [];
    return [
      attempt?.is_estimated,
      attempt?.prompt_tokens,
      attempt?.items.map(({ unit, quantity }) => [unit, quantity]),
    ];
  };

  it("is billed by what was asked of it, and the caller is told no invented numbers", async () => {
    const embed = (input: EmbeddingRequest["input"]) => billed((engine) => engine.embed({ model: "a/m", input }));
    expect(await embed("12345678")).toEqual([true, 2, [["input_tokens", 2]]]);
    expect(await embed(["1234", "12345678"])).toEqual([true, 3, [["input_tokens", 3]]]);
    expect(await embed([7, 8, 9])).toEqual([true, 3, [["input_tokens", 3]]]);
    expect(await embed([[7, 8], [9]])).toEqual([true, 3, [["input_tokens", 3]]]);
    const texts = ["1234", "12345678"].map((text) => ({ text }));
    const rank = billed((engine) => engine.rerank({ model: "a/m", query: "1234", documents: texts }));
    expect(await rank).toEqual([
      true,
      5,
      [
        ["queries", 1],
        ["input_tokens", 5],
      ],
    ]);
  });
});
