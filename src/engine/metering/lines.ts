import type { RateName } from "../api/rates.ts";
import type { Cost } from "../api/usage.ts";

/** The plain rate that the variants of other rates follow. */
export type Anchor = "input_cost_per_token" | "output_cost_per_token";

/** The part of the cost object that a line item adds to. */
export type CostPart = Exclude<keyof Cost, "total_cost"> & `${string}_cost`;

/** How one unit is billed. */
export interface Line {
  readonly rate: RateName;
  readonly part: CostPart;
  /** Of token units: where a tier or a service tier has no rate for this unit, it is scaled as this one is. */
  readonly anchor?: Anchor;
  /** The unit as which it is billed where a model has no rate for it; listed before the units that fall back to it. */
  readonly otherwise?: string;
}

const input = { part: "input_tokens_cost", anchor: "input_cost_per_token" } as const;
const output = { part: "output_tokens_cost", anchor: "output_cost_per_token" } as const;

/** Everything that can be billed, by the `unit` of its line item. */
export const lines = {
  input_tokens: { rate: "input_cost_per_token", ...input },
  input_audio_tokens: { rate: "input_cost_per_audio_token", otherwise: "input_tokens", ...input },
  input_image_tokens: { rate: "input_cost_per_image_token", otherwise: "input_tokens", ...input },
  input_video_tokens: { rate: "input_cost_per_video_token", otherwise: "input_tokens", ...input },
  cached_read_tokens: { rate: "cache_read_input_token_cost", otherwise: "input_tokens", ...input },
  cached_read_image_tokens: {
    rate: "cache_read_input_image_token_cost",
    otherwise: "cached_read_tokens",
    ...input,
  },
  cached_read_audio_tokens: {
    rate: "cache_read_input_audio_token_cost",
    otherwise: "cached_read_tokens",
    ...input,
  },
  cached_write_tokens: { rate: "cache_creation_input_token_cost", otherwise: "input_tokens", ...input },
  cached_write_tokens_1h: {
    rate: "cache_creation_input_token_cost_above_1hr",
    otherwise: "cached_write_tokens",
    ...input,
  },
  cached_write_audio_tokens: {
    rate: "cache_creation_input_audio_token_cost",
    otherwise: "cached_write_tokens",
    ...input,
  },
  output_tokens: { rate: "output_cost_per_token", ...output },
  output_audio_tokens: { rate: "output_cost_per_audio_token", otherwise: "output_tokens", ...output },
  output_image_tokens: { rate: "output_cost_per_image_token", otherwise: "output_tokens", ...output },
  output_video_tokens: { rate: "output_cost_per_video_token", otherwise: "output_tokens", ...output },
  reasoning_tokens: {
    rate: "output_cost_per_reasoning_token",
    otherwise: "output_tokens",
    anchor: "output_cost_per_token",
    part: "reasoning_tokens_cost",
  },
  citation_tokens: {
    rate: "citation_cost_per_token",
    otherwise: "output_tokens",
    anchor: "output_cost_per_token",
    part: "citation_tokens_cost",
  },
  search_queries: { rate: "search_context_cost_per_query", part: "search_queries_cost" },
  maps_queries: { rate: "google_maps_grounding_cost_per_query", part: "search_queries_cost" },
  requests: { rate: "input_cost_per_request", part: "request_cost" },
  queries: { rate: "input_cost_per_query", part: "request_cost" },
  code_interpreter_sessions: { rate: "code_interpreter_cost_per_session", part: "request_cost" },
  input_pages: { rate: "ocr_cost_per_page", part: "input_tokens_cost" },
  annotated_pages: { rate: "annotation_cost_per_page", part: "output_tokens_cost" },
  input_characters: { rate: "input_cost_per_character", part: "input_tokens_cost" },
  input_images: { rate: "input_cost_per_image", part: "input_tokens_cost" },
  input_pixels: { rate: "input_cost_per_pixel", part: "input_tokens_cost" },
  input_seconds: { rate: "input_cost_per_second", part: "input_tokens_cost" },
  input_audio_seconds: { rate: "input_cost_per_audio_per_second", part: "input_tokens_cost" },
  input_video_seconds: { rate: "input_cost_per_video_per_second", part: "input_tokens_cost" },
  output_characters: { rate: "output_cost_per_character", part: "output_tokens_cost" },
  output_images: { rate: "output_cost_per_image", part: "output_tokens_cost" },
  output_pixels: { rate: "output_cost_per_pixel", part: "output_tokens_cost" },
  output_seconds: { rate: "output_cost_per_second", part: "output_tokens_cost" },
  output_seconds_480p: { rate: "output_cost_per_second_480p", otherwise: "output_seconds", part: "output_tokens_cost" },
  output_seconds_720p: { rate: "output_cost_per_second_720p", otherwise: "output_seconds", part: "output_tokens_cost" },
  output_seconds_1080p: {
    rate: "output_cost_per_second_1080p",
    otherwise: "output_seconds",
    part: "output_tokens_cost",
  },
  output_seconds_4k: { rate: "output_cost_per_second_4k", otherwise: "output_seconds", part: "output_tokens_cost" },
  output_video_seconds: { rate: "output_cost_per_video_per_second", part: "output_tokens_cost" },
} as const satisfies Record<string, Line>;

/** The `unit` of a line item. */
export type Unit = keyof typeof lines;

/** Every unit, each after the one it falls back to. */
export const units = Object.keys(lines) as readonly Unit[];

/** Units that the caller counts beside tokens and that have one price each. */
export const countedUnits = [
  "code_interpreter_sessions",
  "maps_queries",
  "input_pages",
  "annotated_pages",
  "input_characters",
  "input_images",
  "input_pixels",
  "input_seconds",
  "input_audio_seconds",
  "input_video_seconds",
  "output_characters",
  "output_pixels",
  "output_seconds",
  "output_seconds_480p",
  "output_seconds_720p",
  "output_seconds_1080p",
  "output_seconds_4k",
  "output_video_seconds",
] as const satisfies readonly Unit[];

/** Everything that may be counted beside tokens. */
export type CountedUnit = (typeof countedUnits)[number] | "requests" | "queries" | "search_queries";

const variantEnding = /(?:_above_\d+k_tokens)?(?:_priority|_flex|_batches|_decisions|_ultrafast)?$/;

/** The name of a rate without its tier and its service tier: `input_cost_per_token` of `input_cost_per_token_above_200k_tokens_flex`. */
export function plainName(name: string): string {
  return name.replace(variantEnding, "");
}
