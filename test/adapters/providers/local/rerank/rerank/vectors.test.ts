import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mixScores, rankHere } from "../../../../../../adapters/providers/local/rerank/rerank.ts";
import type { LocalVectors } from "../../../../../../adapters/providers/local/vectors.ts";
import type { RerankRequest } from "../../../../../../src/engine/api/rerank.ts";
import { call, provider } from "../../../../support/local/asking.ts";

/** Vectors by the topic of a text, and a token for each word; the model reads five. */
const vectors: LocalVectors = {
  isInstalled: async () => true,
  embed: () => Promise.reject(new Error("not asked")),
  vectorsOf: async (texts) => ({
    vectors: texts.map((text) => (/dog|puppy/.test(text) ? [1, 0.1] : /cat|kitten/.test(text) ? [0.1, 1] : [1, 1])),
    tokens: texts.map((text) => text.split(" ").length),
    maxTokens: 5,
  }),
  close: async () => {},
};

async function rank(model: string, documents: string[], more: Partial<RerankRequest> = {}) {
  const asked = call({ model });
  const request = { model: `local/${model}`, query: "puppy", documents: documents.map((text) => ({ text })), ...more };
  const { results } = await rankHere(request, { provider: "local", call: asked, vectors });
  return { order: results.map(({ index }) => index), scores: results.map((each) => each.relevance_score), asked };
}

describe("ranks in this process", () => {
  const documents = ["a kitten", "my dog", "puppy and nothing else"];

  it("by vectors are those of the meaning, by both those of meaning and words", async () => {
    expect((await rank("bm25", documents)).order).toEqual([2, 0, 1]);
    expect((await rank("minilm-l6-v2", documents)).order).toEqual([1, 2, 0]);
    expect((await rank("hybrid", documents)).order).toEqual([2, 1, 0]);
  });

  it("say with counts what the model does not read, or refuse it", async () => {
    const long = ["one two three four five six", "dog"];
    const { asked } = await rank("hybrid", long);
    expect(asked.warnings).toEqual([
      "`documents.0` is cut off: it has 6 tokens, of which local/hybrid reads the first 5",
    ]);
    const refused = rank("minilm-l6-v2", long, { truncate: "none" });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "documents.0" });
    expect((await rank("bm25", long, { truncate: "none" })).asked.warnings).toEqual([]);
    expect((await rank("hybrid", long, { max_tokens_per_doc: 3, truncate: "none" })).asked.warnings).toEqual([]);
  });

  it("of the real model put a paraphrase first, which shares no word", async () => {
    const query = "How do I get rid of a file?";
    const texts = [
      "Papaya is a tropical fruit.",
      "rm - remove documents from the disk",
      "ls - list directory contents",
    ];
    for (const model of ["minilm-l6-v2", "hybrid"]) {
      const request = { model: `local/${model}`, query, documents: texts.map((text) => ({ text })) };
      const answer = await provider.rerank?.(request, call({ model }));
      expect(answer?.results[0]?.index, model).toBe(1);
    }
  });

  it("are refused of a model that does not rank", async () => {
    const request = { model: "local/echo", query: "a", documents: [{ text: "b" }] };
    await expect(provider.rerank?.(request, call({ model: "echo" }))).rejects.toMatchObject({
      upstream: { status: 404, code: "model_not_found" },
    });
  });
});

it("a mixed score rises with either part, and is at most 1 for similarities up to 1", () => {
  const score = fc.record({
    word: fc.double({ min: 0, max: 50, noNaN: true }),
    similarity: fc.double({ min: -1, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(score, { minLength: 2, maxLength: 9 }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      (all, best) => {
        const [words, similarities] = [all.map(({ word }) => word), all.map(({ similarity }) => similarity)];
        const mixed = mixScores(words, similarities, best);
        expect(mixed.every((each) => each <= 1 + 1e-9)).toBe(true);
        for (const [one, first] of all.entries())
          for (const [other, second] of all.entries())
            if (first.word >= second.word && first.similarity >= second.similarity)
              expect(mixed[one]).toBeGreaterThanOrEqual((mixed[other] as number) - 1e-9);
      },
    ),
  );
});
