import assert from "node:assert/strict";
import type { EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import type { RerankResponse } from "../../../engine/api/rerank.ts";
import type { ConformanceCase } from "../case.ts";
import { checkUsage, plain } from "./essence.ts";
import type { EmbeddingFixture, ProviderMaker, RerankFixture } from "./fixture.ts";
import { againstServer, askWhole, frozen, recordedCall, sendAnswer } from "./play.ts";
import { checkWarnings, checkWire } from "./wire.ts";

type VectorCase = ConformanceCase<ProviderMaker>;

/** What embeddings must come to. */
export function embeddingCases(fixture: EmbeddingFixture): VectorCase[] {
  return [{ title: `${fixture.name}: embeddings are asked and read as documented`, run: play(fixture) }];
}

/** What a reranking must come to: places in the caller's list, each once, the best first. */
export function rerankCases(fixture: RerankFixture): VectorCase[] {
  const run = play(fixture, (answer) => {
    const { results } = answer as RerankResponse;
    const { documents, top_n: most = documents.length } = fixture.request;
    assert.equal(results.length, Math.min(most, documents.length));
    assert.equal(new Set(results.map(({ index }) => index)).size, results.length, "a document is ranked once");
    assert.ok(
      results.every(({ relevance_score: score }, at) => score <= (results[at - 1]?.relevance_score ?? Infinity)),
      "scores descend",
    );
  });
  return [{ title: `${fixture.name}: documents are ranked as documented`, run }];
}

function play(fixture: EmbeddingFixture | RerankFixture, check: (answer: unknown) => void = () => {}) {
  return (make: ProviderMaker) =>
    againstServer(
      make,
      (_seen, response) => sendAnswer(response, 200, fixture.answer),
      async (provider, { observation }) => {
        const call = recordedCall(fixture.model);
        const requested = { ...fixture, request: frozen(structuredClone(fixture.request)) } as typeof fixture;
        const answer = await askWhole(provider, requested, call);
        checkWire(observation, fixture.wire);
        checkUsage((answer as EmbeddingResponse | RerankResponse).usage);
        assert.deepEqual(plain(answer), plain(fixture.expected));
        check(answer);
        checkWarnings(call, fixture.warnings);
      },
    );
}
