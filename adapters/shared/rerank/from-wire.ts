import type { RerankRequest, RerankResponse } from "../../../src/api/rerank.ts";
import type { Usage } from "../../../src/api/usage.ts";
import { asideOf } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";
import { invalidAnswer, type Reading, throwFault } from "../openai/answer.ts";
import { readUsage } from "../openai/usage.ts";
import { type Rank, rankedResults } from "./answer.ts";

/**
 * An answer of any of the known forms in ours: the ranks stand in `results`, in `data` or by themselves, scores are `relevance_score` or
 * `score`.
 */
export function readRerank(told: unknown, request: RerankRequest, reading: Reading): RerankResponse {
  const { provider, call } = reading;
  if (isRecord(told)) throwFault(told, reading);
  const envelope = isRecord(told) ? told : {};
  const listed = [told, envelope.results, envelope.data].find((each) => Array.isArray(each));
  if (listed === undefined) throw invalidAnswer(provider, "has no ranks");
  const results = rankedResults((listed as unknown[]).map(readRank), request, provider);
  const usage = readRerankUsage(envelope);
  return {
    id: asideOf(envelope.id) ?? call.id,
    model: asideOf(envelope.model) ?? call.model,
    results,
    ...(usage === undefined ? {} : { usage }),
  };
}

function readRank(told: unknown): Rank {
  const rank = isRecord(told) ? told : {};
  const score = rank.relevance_score ?? rank.score;
  return { index: numberOf(rank.index), score: numberOf(score) };
}

/** The number itself; what is something else, even a text of digits, is no place and no score. */
export function numberOf(told: unknown): number {
  return typeof told === "number" ? told : Number.NaN;
}

/**
 * Tokens are those of the prompt, however they are called. Cohere counts in search units, which stand in `usage.search_units` for the
 * bill to find; it tells them in `meta`.
 */
export function readRerankUsage(told: Readonly<Record<string, unknown>>): Usage | undefined {
  const usage = isRecord(told.usage) ? told.usage : {};
  const meta = isRecord(told.meta) ? told.meta : {};
  const billed = isRecord(meta.billed_units) ? meta.billed_units : {};
  const counted = isRecord(meta.tokens) ? meta.tokens : {};
  const tokens = [usage.prompt_tokens, usage.total_tokens, counted.input_tokens, billed.input_tokens].find(isCount);
  const units = [usage.search_units, billed.search_units].find(isCount);
  if (tokens === undefined && units === undefined) return undefined;
  const said = readUsage({ ...usage, prompt_tokens: tokens ?? 0, completion_tokens: 0 });
  return said && units !== undefined ? { ...said, search_units: units } : said;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
