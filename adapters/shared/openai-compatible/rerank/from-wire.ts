import type { RerankRequest, RerankResponse } from "../../../../src/engine/api/rerank.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { readUsage } from "../../../../src/engine/dialects/openai/usage.ts";
import { isRecord, optionalText } from "../../../../src/engine/dialects/wire-values.ts";
import { type Rank, rankedResults } from "../../rerank-results.ts";
import { invalidAnswer, type ReadContext, throwFault } from "../response/answer.ts";

/**
 * An answer of any of the known forms in ours: the ranks stand in `results`, in `data` or by themselves, scores are `relevance_score` or
 * `score`.
 */
export function readRerank(raw: unknown, request: RerankRequest, reading: ReadContext): RerankResponse {
  const { provider, call } = reading;
  if (isRecord(raw)) throwFault(raw, reading);
  const envelope = isRecord(raw) ? raw : {};
  const listed = [raw, envelope.results, envelope.data].find((each) => Array.isArray(each));
  if (listed === undefined) throw invalidAnswer(provider, "has no ranks");
  const results = rankedResults((listed as unknown[]).map(readRank), request, provider);
  const usage = readRerankUsage(envelope);
  return {
    id: optionalText(envelope.id) ?? call.id,
    model: optionalText(envelope.model) ?? call.model,
    results,
    ...(usage === undefined ? {} : { usage }),
  };
}

function readRank(raw: unknown): Rank {
  const rank = isRecord(raw) ? raw : {};
  const score = rank.relevance_score ?? rank.score;
  return { index: numberOf(rank.index), score: numberOf(score) };
}

/** The number itself; what is something else, even a text of digits, is no place and no score. */
export function numberOf(raw: unknown): number {
  return typeof raw === "number" ? raw : Number.NaN;
}

/**
 * Tokens are those of the prompt, however they are called. Cohere counts in search units, which stand in `usage.search_units` for the
 * bill to find; it tells them in `meta`.
 */
export function readRerankUsage(raw: Readonly<Record<string, unknown>>): Usage | undefined {
  const usage = isRecord(raw.usage) ? raw.usage : {};
  const meta = isRecord(raw.meta) ? raw.meta : {};
  const billed = isRecord(meta.billed_units) ? meta.billed_units : {};
  const counted = isRecord(meta.tokens) ? meta.tokens : {};
  const tokens = [usage.prompt_tokens, usage.total_tokens, counted.input_tokens, billed.input_tokens].find(isCount);
  const units = [usage.search_units, billed.search_units].find(isCount);
  if (tokens === undefined && units === undefined) return undefined;
  const reported = readUsage({ ...usage, prompt_tokens: tokens ?? 0, completion_tokens: 0 });
  return reported && units !== undefined ? { ...reported, search_units: units } : reported;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
