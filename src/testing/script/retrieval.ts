import type { EmbeddingRequest, EmbeddingResponse } from "../../engine/api/embeddings.ts";
import type { RerankRequest, RerankResponse } from "../../engine/api/rerank.ts";
import type { ProviderCall } from "../../engine/ports/provider.ts";
import { failureOf, type ScriptTurn } from "./failure.ts";

/** The vectors of a step; throws where it has none. */
export function answerVectors(turn: ScriptTurn, { input }: EmbeddingRequest, call: ProviderCall): EmbeddingResponse {
  const { step } = turn;
  if (step.kind !== "vectors") throw failureOf(turn);
  const texts: readonly unknown[] = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  const data = texts.map((_text, index) => ({
    index,
    object: "embedding",
    embedding: [...(step.vectors[index % step.vectors.length] ?? [])],
  }));
  const usage = { prompt_tokens: texts.length, completion_tokens: 0, total_tokens: texts.length };
  return { object: "list", model: call.model, data, usage };
}

/** The scores of a step, the best first; throws where it has none. */
export function answerScores(
  turn: ScriptTurn,
  { documents, top_n }: RerankRequest,
  call: ProviderCall,
): RerankResponse {
  const { step } = turn;
  if (step.kind !== "scores") throw failureOf(turn);
  const results = documents.map((_document, index) => ({ index, relevance_score: step.scores[index] ?? 0 }));
  results.sort((one, other) => other.relevance_score - one.relevance_score);
  return { id: call.id, model: call.model, results: results.slice(0, top_n) };
}
