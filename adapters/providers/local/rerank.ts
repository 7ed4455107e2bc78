import type { RerankRequest, RerankResponse } from "../../../src/api/rerank.ts";
import type { Translation } from "../../shared/chat/fields.ts";
import { rankedResults } from "../../shared/rerank-results.ts";
import { countTokens, tokensOf } from "./words.ts";

const honoured = new Set([
  "model",
  "query",
  "documents",
  "fallbacks",
  "top_n",
  "max_tokens_per_doc",
  "return_documents",
]);

/** Documents that are read before others get a turn. */
const atOnce = 100;

/** Words shorter than this are only found as they are: longer ones also where they begin a word (`city`, `cityscape`). */
const shortestStem = 4;

/**
 * Ranks documents by BM25+ over their words, in any language that Unicode can cut into words. A document that shares no word with the
 * query has the score 0. Tokens are counted by the rule of `words.ts`, which `usage.estimated` says.
 */
export async function rankByWords(request: RerankRequest, { provider, call }: Translation): Promise<RerankResponse> {
  for (const [field, value] of Object.entries(request)) {
    if (!honoured.has(field) && value !== undefined) call.warn(`\`${field}\` is not supported by ${provider}`);
  }
  const { query, max_tokens_per_doc: most = Infinity } = request;
  const texts = request.documents.map(({ text }) => tokensOf(text).slice(0, most).join(""));
  const scores = await scoreTexts(texts, query);
  const ranks = texts.map((_, index) => ({ index, score: scores.get(index) ?? 0 }));
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), countTokens(query));
  return {
    id: call.id,
    model: call.model,
    results: rankedResults(ranks, request, provider),
    usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens, estimated: true },
  };
}

/** The scores of the texts that share a word with the query, by their places. */
async function scoreTexts(texts: readonly string[], query: string): Promise<ReadonlyMap<number, number>> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch<{ readonly id: number; readonly text: string }>({
    fields: ["text"],
    tokenize: wordsOf,
    processTerm: plainWord,
  });
  const documents = texts.map((text, id) => ({ id, text }));
  await index.addAllAsync(documents, { chunkSize: atOnce });
  const found = index.search(query, { prefix: (word) => word.length >= shortestStem });
  return new Map(found.map(({ id, score }) => [id as number, score]));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of a text, without what stands between them. */
function wordsOf(text: string): string[] {
  return [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike === true ? [segment] : []));
}

/** A word without case and accents. */
function plainWord(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
