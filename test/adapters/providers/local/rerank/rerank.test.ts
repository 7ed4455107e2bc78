import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RerankRequest, RerankResponse } from "../../../../../src/engine/api/rerank.ts";
import type { ProviderCall } from "../../../../../src/engine/ports/provider.ts";
import { call, failure, provider } from "../../../support/local/asking.ts";

type Asked = Partial<Omit<RerankRequest, "documents">> & { readonly documents: readonly string[] };

function rerank({ documents, ...rest }: Asked, asked: ProviderCall = call({ model: "bm25" })) {
  const request = { model: "local/bm25", query: "capital of France", ...rest };
  return provider.rerank?.(
    { ...request, documents: documents.map((text) => ({ text })) },
    asked,
  ) as Promise<RerankResponse>;
}

const orderOf = ({ results }: RerankResponse) => results.map(({ index }) => index);

describe("local/bm25", () => {
  it("ranks by the words shared with the query, the rarer the better", async () => {
    const documents = ["The price of bread.", "Paris is the capital of France.", "The history of France."];
    const answer = await rerank({ documents });
    expect(orderOf(answer)).toEqual([1, 2, 0]);
    expect(answer).toMatchObject({ id: "evt_0-1", model: "bm25" });
  });

  it("prefers a word said often in a short text to one said once in a long one", async () => {
    const documents = [`France ${"and other things ".repeat(30)}`, "France, France"];
    expect(orderOf(await rerank({ query: "france", documents }))).toEqual([1, 0]);
  });

  it.each([
    ["gruße", ["Tschüss", "Viele Grüße"]],
    ["CAFE", ["tea", "a café"]],
    ["天気", ["東京タワー", "明日の天気は晴れです"]],
    ["สวัสดี", ["ลาก่อน", "สวัสดีครับ"]],
    ["city", ["a village", "a cityscape"]],
  ])("finds %s whatever its case, accents and script", async (query, documents) => {
    const { results } = await rerank({ query, documents });
    expect(results[0]).toMatchObject({ index: 1 });
    expect(results[0]?.relevance_score).toBeGreaterThan(0);
    expect(results[1]?.relevance_score).toBe(0);
  });

  it("gives documents without a shared word, and all of them for a query without words, the score 0 in their order", async () => {
    const { results } = await rerank({ query: "?!", documents: ["a", "b", "c"] });
    expect(results.map(({ index, relevance_score }) => [index, relevance_score])).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
  });

  it("reads no more of a document than `max_tokens_per_doc`", async () => {
    const documents = ["one two three France", "France"];
    const whole = await rerank({ documents });
    const cut = await rerank({ documents, max_tokens_per_doc: 3 });
    expect(whole.results.every(({ relevance_score }) => relevance_score > 0)).toBe(true);
    expect(cut.results.find(({ index }) => index === 0)?.relevance_score).toBe(0);
    expect(cut.usage?.prompt_tokens).toBeLessThan(whole.usage?.prompt_tokens ?? 0);
  });

  it("counts the query and the documents, and says that no tokenizer did", async () => {
    const { usage } = await rerank({ documents: ["one two", "three"] });
    expect(usage).toEqual({ prompt_tokens: 6, completion_tokens: 0, total_tokens: 6, estimated: true });
  });

  it("names what it cannot honour", async () => {
    const asked = call({ model: "bm25" });
    await rerank({ documents: ["a"], priority: 1, rank_fields: ["x"] }, asked);
    expect(asked.warnings).toEqual(["`priority` is not supported by local", "`rank_fields` is not supported by local"]);
  });

  it("is the only model that ranks, and asks nobody when it is aborted", async () => {
    expect(await failure(rerank({ documents: ["a"] }, call({ model: "echo" })))).toMatchObject({
      code: "upstream_error",
      upstream: { status: 404, code: "model_not_found" },
    });
    const aborted = call({ model: "bm25", signal: AbortSignal.abort() });
    expect((await failure(rerank({ documents: ["a"] }, aborted))).code).toBe("request_cancelled");
  });

  it("ranks whatever it is given: each place once, scores that descend and are never negative", async () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
    const documents = fc.array(fc.oneof(text, fc.constantFrom("a b", "b c", "a a")), { minLength: 1, maxLength: 12 });
    const asked = fc.record({
      query: fc.oneof(text, fc.constant("a b")),
      documents,
      top_n: fc.integer({ min: 1, max: 15 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        const { results } = await rerank(request);
        expect(results).toHaveLength(Math.min(request.top_n, request.documents.length));
        expect(new Set(results.map(({ index }) => index)).size).toBe(results.length);
        const scores = results.map(({ relevance_score }) => relevance_score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(scores.every((score) => score >= 0)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
