import type { Usage } from "../../../src/api/usage.ts";
import { isBrokenCount } from "../broken-count.ts";
import type { WireUsage } from "./wire.ts";

/**
 * Usage as every provider gives it: the vendor counts cached reads and writes beside `input_tokens`, here they are inside.
 * `cached_write_tokens_1h` is the part of the writes that is kept, and charged, for an hour. None where a count is none, or where
 * neither input nor output is told.
 */
export function toUsage(wire: WireUsage | null | undefined): Usage | undefined {
  if (!wire || (isAbsent(wire.input_tokens) && isAbsent(wire.output_tokens))) return undefined;
  if (totals.some((name) => isBrokenCount(wire[name]))) return undefined;
  const read = count(wire.cache_read_input_tokens);
  const written = count(wire.cache_creation_input_tokens);
  const prompt = count(wire.input_tokens) + read + written;
  const completion = count(wire.output_tokens);
  const usage: Usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const prompted = promptDetails(wire, read, written);
  if (prompted !== undefined) usage.prompt_tokens_details = prompted;
  const completed = completionDetails(wire, completion);
  if (completed !== undefined) usage.completion_tokens_details = completed;
  return usage;
}

/** What the counts of prompt and completion are made of. */
const totals = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] as const;

/** Counts of a stream are cumulative: what a later event says replaces what an earlier one said. */
export function mergeUsage(known: WireUsage, later: WireUsage | null | undefined): WireUsage {
  const said = Object.entries(later ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return { ...known, ...Object.fromEntries(said) };
}

function promptDetails(wire: WireUsage, read: number, written: number): Usage["prompt_tokens_details"] {
  if (isAbsent(wire.cache_read_input_tokens) && isAbsent(wire.cache_creation_input_tokens)) return undefined;
  const hourly = Math.min(count(wire.cache_creation?.ephemeral_1h_input_tokens), written);
  const details = { cached_read_tokens: read, cached_write_tokens: written };
  return hourly === 0 ? details : { ...details, cached_write_tokens_1h: hourly };
}

function completionDetails(wire: WireUsage, completion: number): Usage["completion_tokens_details"] {
  const { output_tokens_details: spent, server_tool_use: served } = wire;
  const details: NonNullable<Usage["completion_tokens_details"]> = {};
  if (!isAbsent(spent?.thinking_tokens)) details.reasoning_tokens = Math.min(count(spent?.thinking_tokens), completion);
  if (!isAbsent(served?.web_search_requests)) details.num_search_queries = count(served?.web_search_requests);
  return Object.keys(details).length === 0 ? undefined : details;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
}
