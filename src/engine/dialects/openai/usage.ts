import type { Usage } from "../../api/usage.ts";
import { isInvalidCount } from "../counts.ts";
import { isRecord } from "../wire-values.ts";

type TokenDetails = Record<string, number>;

/** Our name for each part of the prompt that a vendor counts. */
const promptParts: Readonly<Record<string, string>> = {
  cached_tokens: "cached_read_tokens",
  cache_write_tokens: "cached_write_tokens",
  cache_creation_tokens: "cached_write_tokens",
};

/** Details that some vendors state next to the totals, and our names for them. */
const promptExtras: readonly ExtraCount[] = [
  ["prompt_cache_hit_tokens", "cached_read_tokens"],
  ["num_cached_tokens", "cached_read_tokens"],
  ["cached_tokens", "cached_read_tokens"], // Kimi
];
const completionExtras: readonly ExtraCount[] = [
  ["reasoning_tokens", "reasoning_tokens"],
  ["citation_tokens", "citation_tokens"],
  ["num_search_queries", "num_search_queries"],
];

type ExtraCount = readonly [field: string, detail: string];

const ownFields = new Set([
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
  "cost",
  ...[...promptExtras, ...completionExtras].map(([field]) => field),
]);

/**
 * A compatible vendor's usage in our form; `undefined` when it states none, or something that is not a count. The total is prompt plus
 * completion, and no detail exceeds its parent. The vendor's own `cost` becomes `upstream_cost`, since `cost` is the engine's; its other
 * fields stay.
 */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isRecord(raw) || isInvalidCount(raw.prompt_tokens) || isInvalidCount(raw.completion_tokens)) return undefined;
  const prompt = count(raw.prompt_tokens);
  if (prompt === undefined && count(raw.completion_tokens) === undefined) return undefined;
  const promptTokens = prompt ?? 0;
  const promptDetails = readDetails(raw.prompt_tokens_details, promptParts);
  addExtras(promptDetails, raw, promptExtras);
  const completionDetails = readDetails(raw.completion_tokens_details, {});
  addExtras(completionDetails, raw, completionExtras);
  const completionTokens = countCompletion(raw, promptTokens, completionDetails.reasoning_tokens ?? 0);
  clamp(promptDetails, promptTokens);
  clamp(completionDetails, completionTokens);
  const usage: Usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
  addOtherFields(usage, raw);
  if (Object.keys(promptDetails).length > 0) usage.prompt_tokens_details = promptDetails;
  if (Object.keys(completionDetails).length > 0) usage.completion_tokens_details = completionDetails;
  return usage;
}

/**
 * The tokens of the completion, reasoning included. Some vendors (xAI) count reasoning next to the completion: their total only adds up
 * with it, or there is more reasoning than completion and the total does not contradict. Perplexity's deep research counts reasoning and
 * citations next to completion and total, and bills all three; more reasoning than completion shows that.
 */
function countCompletion(raw: Record<string, unknown>, prompt: number, reasoning: number): number {
  const completion = count(raw.completion_tokens) ?? 0;
  const researched = count(raw.reasoning_tokens) ?? 0;
  const cited = count(raw.citation_tokens);
  if (cited !== undefined && researched > completion) return completion + researched + cited;
  const total = count(raw.total_tokens);
  const isExtra =
    total === prompt + completion + reasoning || (reasoning > completion && total !== prompt + completion);
  return isExtra ? completion + reasoning : completion;
}

function readDetails(raw: unknown, names: Readonly<Record<string, string>>): TokenDetails {
  const details: TokenDetails = {};
  if (!isRecord(raw)) return details;
  for (const [field, value] of Object.entries(raw)) {
    const number = count(value);
    const name = names[field] ?? field;
    if (number !== undefined) details[name] = Math.max(details[name] ?? 0, number);
  }
  return details;
}

function addExtras(details: TokenDetails, raw: Record<string, unknown>, extras: readonly ExtraCount[]): void {
  for (const [field, name] of extras) {
    const number = count(raw[field]);
    if (number !== undefined) details[name] ??= number;
  }
}

function clamp(details: TokenDetails, most: number): void {
  for (const name in details) {
    if (name.endsWith("_tokens") && (details[name] as number) > most) details[name] = most;
  }
}

function addOtherFields(usage: Record<string, unknown>, raw: Record<string, unknown>): void {
  for (const field in raw) {
    const value = raw[field];
    if (!ownFields.has(field) && value !== null) usage[field] = value;
  }
  if (raw.cost !== undefined && raw.cost !== null) usage.upstream_cost = raw.cost;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

/** Details that the vendor has under our name. */
const writtenPromptDetails = ["audio_tokens"] as const;
const writtenCompletionDetails = [
  "reasoning_tokens",
  "audio_tokens",
  "accepted_prediction_tokens",
  "rejected_prediction_tokens",
] as const;

/** Our usage as Chat Completions have it; costs and details that the vendor has no name for are left out. */
export function writeUsage(usage: Usage) {
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const { prompt_tokens_details: prompted, completion_tokens_details: completed } = usage;
  const { cached_read_tokens: read, cached_write_tokens: written } = prompted ?? {};
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...(prompted === undefined
      ? {}
      : {
          prompt_tokens_details: {
            ...pick(prompted, writtenPromptDetails),
            ...(read === undefined ? {} : { cached_tokens: read }),
            ...(written === undefined ? {} : { cache_write_tokens: written }),
          },
        }),
    ...(completed === undefined ? {} : { completion_tokens_details: pick(completed, writtenCompletionDetails) }),
  };
}

/**
 * Usage in our names with OpenAI's beside them, for clients of either: `cached_tokens` and `cache_write_tokens`. The same object where
 * nothing was read from a cache or written to one.
 */
export function nameCachedTokens(usage: Usage): Usage {
  const { prompt_tokens_details: details } = usage;
  const { cached_read_tokens: read, cached_write_tokens: written } = details ?? {};
  if (read === undefined && written === undefined) return usage;
  const named = {
    ...details,
    ...(read === undefined ? {} : { cached_tokens: read }),
    ...(written === undefined ? {} : { cache_write_tokens: written }),
  };
  return { ...usage, prompt_tokens_details: named };
}

function pick(details: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])));
}

/** Our usage as the Responses API has it. */
export function writeResponseUsage(usage: Usage) {
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } = usage;
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: {
      cached_tokens: prompt_tokens_details?.cached_read_tokens ?? 0,
      cache_write_tokens: prompt_tokens_details?.cached_write_tokens ?? 0,
    },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens,
  };
}
