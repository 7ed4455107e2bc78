import type { Usage } from "../../api/usage.ts";
import { countOf, isInvalidCount } from "../counts.ts";

/** Usage of the Messages API as it comes, whole or in parts. */
export interface AnthropicWireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
  /** Where it was served: `us`, `global`. */
  readonly inference_geo?: string | null;
  readonly server_tool_use?: { readonly web_search_requests?: number | null } | null;
  readonly service_tier?: string | null;
}

/**
 * The vendor's usage in our form. The vendor counts cached reads and writes beside `input_tokens`; `prompt_tokens` includes them.
 * `cached_write_tokens_1h` is the part of the writes that is kept, and charged, for an hour. Returns `undefined` when a count is not a
 * count, or when neither input nor output is counted.
 */
export function readUsage(wire: AnthropicWireUsage | null | undefined): Usage | undefined {
  if (!wire || (isAbsent(wire.input_tokens) && isAbsent(wire.output_tokens))) return undefined;
  if (totals.some((name) => isInvalidCount(wire[name]))) return undefined;
  const read = countOf(wire.cache_read_input_tokens);
  const written = countOf(wire.cache_creation_input_tokens);
  const prompt = countOf(wire.input_tokens) + read + written;
  const completion = countOf(wire.output_tokens);
  const usage: Usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const prompted = promptDetails(wire, read, written);
  if (prompted !== undefined) usage.prompt_tokens_details = prompted;
  const completed = completionDetails(wire, completion);
  if (completed !== undefined) usage.completion_tokens_details = completed;
  const { inference_geo: place } = wire;
  if (typeof place === "string" && place !== "not_available") usage.inference_geo = place;
  return usage;
}

/** The counts that prompt and completion are made of. */
const totals = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const;

/** The usage after a later event of a stream. Counts are cumulative: a later count replaces an earlier one. */
export function mergeUsage(
  known: AnthropicWireUsage,
  later: AnthropicWireUsage | null | undefined,
): AnthropicWireUsage {
  const reported = Object.entries(later ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return { ...known, ...Object.fromEntries(reported) };
}

function promptDetails(wire: AnthropicWireUsage, read: number, written: number): Usage["prompt_tokens_details"] {
  if (isAbsent(wire.cache_read_input_tokens) && isAbsent(wire.cache_creation_input_tokens)) return undefined;
  const hourly = Math.min(countOf(wire.cache_creation?.ephemeral_1h_input_tokens), written);
  const details = { cached_read_tokens: read, cached_write_tokens: written };
  return hourly === 0 ? details : { ...details, cached_write_tokens_1h: hourly };
}

function completionDetails(wire: AnthropicWireUsage, completion: number): Usage["completion_tokens_details"] {
  const { output_tokens_details: output, server_tool_use: tools } = wire;
  const details: NonNullable<Usage["completion_tokens_details"]> = {};
  if (!isAbsent(output?.thinking_tokens))
    details.reasoning_tokens = Math.min(countOf(output?.thinking_tokens), completion);
  if (!isAbsent(tools?.web_search_requests)) details.num_search_queries = countOf(tools?.web_search_requests);
  return Object.keys(details).length === 0 ? undefined : details;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Our service tiers and the vendor's. */
const tiers = new Map([
  ["default", "standard"],
  ["standard", "standard"],
  ["priority", "priority"],
  ["batch", "batch"],
]);

/**
 * Our usage and the service tier that answered, in the vendor's form. All counts are 0 without usage; a tier that the vendor does not have
 * is null.
 */
export function writeUsage(usage: Usage | undefined, tier: string | null | undefined) {
  const { prompt_tokens: prompt = 0, completion_tokens: completion = 0 } = usage ?? {};
  const { prompt_tokens_details: prompted, completion_tokens_details: completed } = usage ?? {};
  const read = prompted?.cached_read_tokens ?? 0;
  const written = prompted?.cached_write_tokens ?? 0;
  return {
    input_tokens: Math.max(0, prompt - read - written),
    output_tokens: completion,
    cache_read_input_tokens: prompted?.cached_read_tokens ?? null,
    cache_creation_input_tokens: prompted?.cached_write_tokens ?? null,
    cache_creation: written === 0 ? null : cacheCreation(written, prompted?.cached_write_tokens_1h),
    output_tokens_details:
      completed?.reasoning_tokens === undefined ? null : { thinking_tokens: completed.reasoning_tokens },
    server_tool_use: completed?.num_search_queries
      ? { web_search_requests: completed.num_search_queries, web_fetch_requests: 0 }
      : null,
    service_tier: tiers.get(tier ?? "") ?? null,
    inference_geo: null,
    speed: null,
  };
}

function cacheCreation(written: number, hourly: unknown) {
  const forAnHour = typeof hourly === "number" ? Math.min(hourly, written) : 0;
  return { ephemeral_1h_input_tokens: forAnHour, ephemeral_5m_input_tokens: written - forAnHour };
}
