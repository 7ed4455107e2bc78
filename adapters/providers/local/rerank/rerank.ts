import type { RerankRequest, RerankResponse } from "../../../../src/engine/api/rerank.ts";
import type { ProviderCall } from "../../../../src/engine/ports/provider.ts";
import { scoreByWords } from "../../../../src/engine/runtime/words/by-words.ts";
import { rankedResults } from "../../../shared/rerank-results.ts";
import { models } from "../models.ts";
import type { LocalVectors } from "../vectors.ts";
import { countTokens, tokensOf } from "../words.ts";
import { scoreByVectors, type VectorScoring } from "./by-vectors.ts";

const honoured = new Set([
  "model",
  "query",
  "documents",
  "fallbacks",
  "top_n",
  "max_tokens_per_doc",
  "return_documents",
  "truncate",
]);

/** A call, and where its texts become vectors. */
interface RankedHere {
  readonly provider: string;
  readonly call: ProviderCall;
  readonly vectors: LocalVectors;
}

/**
 * Ranks documents in this process: by the words that they share with the query, by the similarity of vectors, or by both, as the model
 * says. Tokens are counted by the rule of `words.ts`, which `usage.estimated` says.
 */
export async function rankHere(
  request: RerankRequest,
  { provider, call, vectors }: RankedHere,
): Promise<RerankResponse> {
  for (const [field, value] of Object.entries(request)) {
    if (!honoured.has(field) && value !== undefined) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  const { query, max_tokens_per_doc: most = Infinity, truncate } = request;
  const texts = request.documents.map(({ text }) => tokensOf(text).slice(0, most).join(""));
  const scores = await scoresOf(query, texts, { provider, call, vectors, truncate });
  const ranks = scores.map((score, index) => ({ index, score }));
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), countTokens(query));
  return {
    id: call.id,
    model: call.model,
    results: rankedResults(ranks, request, provider),
    usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens, estimated: true },
  };
}

async function scoresOf(query: string, texts: readonly string[], scoring: VectorScoring): Promise<readonly number[]> {
  const { model } = scoring.call;
  if (model === models.bm25.id) return scoreByWords(query, texts);
  if (model === models.minilm.id) return scoreByVectors(query, texts, scoring);
  // The query among the texts says what a text with all of its words would score.
  const [words, vectors] = await Promise.all([
    scoreByWords(query, [...texts, query]),
    scoreByVectors(query, texts, scoring),
  ]);
  return mixScores(words.slice(0, -1), vectors, words.at(-1) ?? 0);
}

/** Part of the words in a mixed score; measured in docs/decisions/0076-local-rerankers.md. */
const partOfWords = 0.3;

/**
 * Word scores as a part of what the query itself scores, at most 1, and similarities, weighted. A query of which every text shares only
 * small words is left to the vectors.
 */
export function mixScores(words: readonly number[], vectors: readonly number[], ofQuery: number): number[] {
  return vectors.map((similarity, at) => {
    const word = ofQuery === 0 ? 0 : Math.min(1, (words[at] ?? 0) / ofQuery);
    return partOfWords * word + (1 - partOfWords) * similarity;
  });
}
