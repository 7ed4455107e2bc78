import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpClient } from "../../../adapters/shared/http/client.ts";
import { rerankWith } from "../../../adapters/shared/openai-compatible/rerank/rerank.ts";
import { rankedResults } from "../../../adapters/shared/rerank-results.ts";
import type { RerankRequest } from "../../../src/engine/api/rerank.ts";
import { failureOf, recordedCall } from "../../fixtures/native.ts";

const score = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, 0.5, 1));

/** Documents with the scores that a vendor gives them, in the order in which it gives them. */
const question = fc.array(score, { minLength: 1, maxLength: 30 }).chain((scores) =>
  fc.record({
    scores: fc.constant(scores),
    order: fc.shuffledSubarray([...scores.keys()], { minLength: scores.length }),
    top_n: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    return_documents: fc.option(fc.boolean(), { nil: undefined }),
  }),
);
type Question = typeof question extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function requestOf({ scores, top_n, return_documents }: Question): RerankRequest {
  const documents = scores.map((_, at) => ({ text: `document ${at}`, id: `d-${at}` }));
  return { model: "acme/m", query: "q", documents, top_n, return_documents };
}

const ranked = (drawn: Question) => {
  const ranks = drawn.order.map((index) => ({ index, score: drawn.scores[index] as number }));
  return rankedResults(ranks, requestOf(drawn), "acme");
};

describe("a ranking", () => {
  it("has as many results as were asked for, and no more than there are documents", () => {
    fc.assert(
      fc.property(question, (drawn) => {
        expect(ranked(drawn)).toHaveLength(Math.min(drawn.top_n ?? Infinity, drawn.scores.length));
      }),
    );
  });

  it("names every document once at most, by its place in the caller's list", () => {
    fc.assert(
      fc.property(question, (drawn) => {
        const places = ranked(drawn).map(({ index }) => index);
        expect(new Set(places).size).toBe(places.length);
        for (const place of places) expect(drawn.scores[place]).toBeDefined();
      }),
    );
  });

  it("gives each document its own score", () => {
    fc.assert(
      fc.property(question, (drawn) => {
        for (const { index, relevance_score } of ranked(drawn)) expect(relevance_score).toBe(drawn.scores[index]);
      }),
    );
  });

  it("has descending scores, equals in the caller's order", () => {
    fc.assert(
      fc.property(question, (drawn) => {
        const results = ranked(drawn);
        for (const [at, { index, relevance_score }] of results.slice(1).entries()) {
          const before = results[at] as (typeof results)[number];
          expect(before.relevance_score).toBeGreaterThanOrEqual(relevance_score);
          if (before.relevance_score === relevance_score) expect(before.index).toBeLessThan(index);
        }
      }),
    );
  });

  it("leaves out no document that is better than one it names", () => {
    fc.assert(
      fc.property(question, (drawn) => {
        const results = ranked(drawn);
        const named = new Set(results.map(({ index }) => index));
        const worst = Math.min(...results.map(({ relevance_score }) => relevance_score));
        const left = drawn.scores.filter((_, at) => !named.has(at));
        for (const each of left) expect(each).toBeLessThanOrEqual(worst);
      }),
    );
  });

  it("has the caller's own documents where they are wanted, and only there", () => {
    fc.assert(
      fc.property(question, (drawn) => {
        const { documents } = requestOf(drawn);
        for (const { index, document } of ranked(drawn)) {
          expect(document).toEqual(drawn.return_documents === true ? documents[index] : undefined);
        }
      }),
    );
  });

  it("is refused when a place is not the caller's, comes twice, lacks its score or its rank", () => {
    const request: RerankRequest = { model: "m", query: "q", documents: [{ text: "a" }, { text: "b" }] };
    const good = { index: 0, score: 1 };
    const bad = [
      [good, { index: 2, score: 1 }],
      [good, { index: -1, score: 1 }],
      [good, { index: 0.5, score: 1 }],
      [good, { index: 0, score: 0.5 }],
      [good, { index: 1, score: Number.NaN }],
      [good],
    ];
    for (const ranks of bad) {
      expect(() => rankedResults(ranks, request, "acme")).toThrow(
        expect.objectContaining({ code: "upstream_invalid_response", provider: "acme" }),
      );
    }
  });
});

/** A vendor that scores a document by its text alone, answers in any order and takes so many documents at once. */
function vendorOf(scores: readonly number[], mostDocuments: number) {
  const asked: string[][] = [];
  const post = async (_path: string, body: unknown) => {
    const { documents, top_n: most = documents.length } = body as { documents: string[]; top_n?: number };
    asked.push(documents);
    const results = documents.map((text, index) => ({
      index,
      relevance_score: scores[Number(text.split(" ")[1])] ?? 0,
    }));
    const best = results.sort((one, other) => other.relevance_score - one.relevance_score || one.index - other.index);
    return { results: best.slice(0, most), usage: { total_tokens: documents.length } };
  };
  const http = { post } as unknown as HttpClient;
  return { asked, vendor: { provider: "acme", http, dialect: { path: "/rerank", mostDocuments } } };
}

describe("a ranking in parts", () => {
  it("is the ranking of all documents at once, and used what its parts used together", async () => {
    await fc.assert(
      fc.asyncProperty(question, fc.integer({ min: 1, max: 9 }), async (drawn, most) => {
        const { asked, vendor } = vendorOf(drawn.scores, most);
        const answer = await rerankWith(vendor, requestOf(drawn), recordedCall("m"));
        expect(answer.results).toEqual(ranked(drawn));
        expect(answer.usage?.prompt_tokens).toBe(drawn.scores.length);
        expect(asked.every((part) => part.length <= most)).toBe(true);
        expect(asked.flat().length).toBe(drawn.scores.length);
      }),
    );
  });

  it("fails with the part that fails", async () => {
    const { vendor } = vendorOf([1, 2, 3], 1);
    const post = async (path: string, body: unknown) => {
      if (JSON.stringify(body).includes("document 1")) return { results: [] };
      return vendor.http.post(path, body, recordedCall("m"));
    };
    const broken = { ...vendor, http: { ...vendor.http, post } as unknown as HttpClient };
    const drawn: Question = { scores: [1, 2, 3], order: [], top_n: undefined, return_documents: undefined };
    const failed = await failureOf(rerankWith(broken, requestOf(drawn), recordedCall("m")));
    expect(failed.code).toBe("upstream_invalid_response");
  });
});
