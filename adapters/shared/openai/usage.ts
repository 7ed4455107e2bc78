import type { Usage } from "../../../src/api/usage.ts";
import { isBrokenCount } from "../broken-count.ts";
import { isRecord } from "../http/fault.ts";

type Details = Record<string, number>;

/** Names by which vendors tell the parts of a count; ours first. */
const promptParts: Readonly<Record<string, string>> = {
  cached_tokens: "cached_read_tokens",
  cache_write_tokens: "cached_write_tokens",
  cache_creation_tokens: "cached_write_tokens",
};

/** Counts that some vendors tell beside the totals, and the detail each of them is. */
const promptAsides: readonly Aside[] = [
  ["prompt_cache_hit_tokens", "cached_read_tokens"],
  ["num_cached_tokens", "cached_read_tokens"],
];
const completionAsides: readonly Aside[] = [
  ["reasoning_tokens", "reasoning_tokens"],
  ["citation_tokens", "citation_tokens"],
  ["num_search_queries", "num_search_queries"],
];

type Aside = readonly [field: string, detail: string];

const ownFields = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
  "cost",
  ...[...promptAsides, ...completionAsides].map(([field]) => field),
]);

/**
 * A vendor's usage in our form; `undefined` when it tells none, or something else than counts. The total is prompt + completion, and no detail exceeds its parent.
 * What the vendor says of the price moves to `upstream_cost`, since `cost` is the engine's; other fields of its own stay.
 */
export function readUsage(told: unknown): Usage | undefined {
  if (!isRecord(told) || isBrokenCount(told.prompt_tokens) || isBrokenCount(told.completion_tokens)) return undefined;
  const prompt = count(told.prompt_tokens);
  if (prompt === undefined && count(told.completion_tokens) === undefined) return undefined;
  const promptTokens = prompt ?? 0;
  const promptDetails = readDetails(told.prompt_tokens_details, promptParts);
  addAsides(promptDetails, told, promptAsides);
  const completionDetails = readDetails(told.completion_tokens_details, {});
  addAsides(completionDetails, told, completionAsides);
  const completionTokens = countCompletion(told, promptTokens, completionDetails.reasoning_tokens ?? 0);
  clamp(promptDetails, promptTokens);
  clamp(completionDetails, completionTokens);
  const usage: Usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  addOtherFields(usage, told);
  if (Object.keys(promptDetails).length > 0) usage.prompt_tokens_details = promptDetails;
  if (Object.keys(completionDetails).length > 0) usage.completion_tokens_details = completionDetails;
  return usage;
}

/**
 * Some vendors (xAI) count reasoning beside the completion, not in it. It shows: only with it does their total come out, or there is
 * more of it than of the completion and the total does not deny it. Perplexity's deep research counts reasoning and citations beside
 * completion and total, and bills all three; there, too, more reasoning than completion cannot be inside of it.
 */
function countCompletion(told: Record<string, unknown>, prompt: number, reasoning: number): number {
  const completion = count(told.completion_tokens) ?? 0;
  const researched = count(told.reasoning_tokens) ?? 0;
  const cited = count(told.citation_tokens);
  if (cited !== undefined && researched > completion) return completion + researched + cited;
  const total = count(told.total_tokens);
  const isBeside =
    total === prompt + completion + reasoning || (reasoning > completion && total !== prompt + completion);
  return isBeside ? completion + reasoning : completion;
}

function readDetails(told: unknown, names: Readonly<Record<string, string>>): Details {
  const details: Details = {};
  if (!isRecord(told)) return details;
  for (const [field, value] of Object.entries(told)) {
    const number = count(value);
    const name = names[field] ?? field;
    if (number !== undefined) details[name] = Math.max(details[name] ?? 0, number);
  }
  return details;
}

function addAsides(details: Details, told: Record<string, unknown>, asides: readonly Aside[]): void {
  for (const [field, name] of asides) {
    const number = count(told[field]);
    if (number !== undefined) details[name] ??= number;
  }
}

function clamp(details: Details, most: number): void {
  for (const name in details) {
    if (name.endsWith("_tokens") && (details[name] as number) > most) details[name] = most;
  }
}

function addOtherFields(usage: Record<string, unknown>, told: Record<string, unknown>): void {
  for (const field in told) {
    const value = told[field];
    if (!ownFields.has(field) && value !== null) usage[field] = value;
  }
  if (told.cost !== undefined && told.cost !== null) usage.upstream_cost = told.cost;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}
