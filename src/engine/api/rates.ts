import { z } from "zod";

/** US dollars per unit. The smallest step that bills keep is 10⁻¹² dollars, the largest rate 1,000 dollars. */
const rate = z.number().nonnegative().max(1_000);

/**
 * The names of AiCostRates, then those that the cost object needs besides (inference-resolved.md, section 9). A name says its unit
 * (`_per_token`, `_per_image`, …; the `cache_…_token_cost` ones are per token) and its variant: `_above_200k_tokens` holds for
 * the whole request once the prompt is longer, `_priority`, `_flex`, `_batches`, `_decisions` and `_ultrafast` for that service tier.
 */
export const rateNames = [
  "cache_creation_input_audio_token_cost",
  "cache_creation_input_token_cost",
  "cache_creation_input_token_cost_above_200k_tokens",
  "cache_read_input_image_token_cost",
  "cache_read_input_token_cost",
  "cache_read_input_token_cost_above_200k_tokens",
  "cache_read_input_token_cost_above_200k_tokens_priority",
  "cache_read_input_token_cost_above_272k_tokens",
  "cache_read_input_token_cost_above_272k_tokens_priority",
  "cache_read_input_token_cost_flex",
  "cache_read_input_token_cost_priority",
  "code_interpreter_cost_per_session",
  "input_cost_per_audio_per_second",
  "input_cost_per_audio_per_second_above_128k_tokens",
  "input_cost_per_audio_token",
  "input_cost_per_character",
  "input_cost_per_image",
  "input_cost_per_image_token",
  "input_cost_per_pixel",
  "input_cost_per_second",
  "input_cost_per_token",
  "input_cost_per_token_above_128k_tokens",
  "input_cost_per_token_above_200k_tokens",
  "input_cost_per_token_above_200k_tokens_priority",
  "input_cost_per_token_above_272k_tokens",
  "input_cost_per_token_above_272k_tokens_priority",
  "input_cost_per_token_batches",
  "input_cost_per_token_flex",
  "input_cost_per_token_priority",
  "input_cost_per_video_per_second",
  "input_cost_per_video_per_second_above_128k_tokens",
  "output_cost_per_audio_token",
  "output_cost_per_image",
  "output_cost_per_image_above_1024_and_1024_pixels",
  "output_cost_per_image_above_2048_and_2048_pixels",
  "output_cost_per_image_above_4096_and_4096_pixels",
  "output_cost_per_image_above_512_and_512_pixels",
  "output_cost_per_image_auto_quality",
  "output_cost_per_image_high_quality",
  "output_cost_per_image_low_quality",
  "output_cost_per_image_medium_quality",
  "output_cost_per_image_token",
  "output_cost_per_pixel",
  "output_cost_per_second",
  "output_cost_per_token",
  "output_cost_per_token_above_128k_tokens",
  "output_cost_per_token_above_200k_tokens",
  "output_cost_per_token_above_200k_tokens_priority",
  "output_cost_per_token_above_272k_tokens",
  "output_cost_per_token_above_272k_tokens_priority",
  "output_cost_per_token_batches",
  "output_cost_per_token_flex",
  "output_cost_per_token_priority",
  "output_cost_per_video_per_second",
  "search_context_cost_per_query",
  "output_cost_per_reasoning_token",
  "citation_cost_per_token",
  "input_cost_per_query",
  "input_cost_per_request",
  "cache_creation_input_token_cost_above_1hr",
  "cache_read_input_audio_token_cost",
  "input_cost_per_video_token",
  "output_cost_per_video_token",
  "output_cost_per_character",
  "ocr_cost_per_page",
  "annotation_cost_per_page",
  "google_maps_grounding_cost_per_query",
  "output_cost_per_second_480p",
  "output_cost_per_second_720p",
  "output_cost_per_second_1080p",
  "output_cost_per_second_4k",
  "search_cost_per_request",
] as const;
export type RateName = (typeof rateNames)[number];

const optionalRate = rate.optional();
const shape = Object.fromEntries(rateNames.map((name) => [name, optionalRate])) as Record<
  RateName,
  typeof optionalRate
>;

/** What a model costs, in US dollars per unit; the portal's form, every rate a number. */
export const AiCostRates = z.looseObject(shape);
export type AiCostRates = z.infer<typeof AiCostRates>;

/** The fee of one web search by how much context it brings; a size that is missing costs what the next one does. */
export const SearchRates = z.looseObject({
  search_context_size_low: optionalRate,
  search_context_size_medium: optionalRate,
  search_context_size_high: optionalRate,
});
export type SearchRates = z.infer<typeof SearchRates>;

/** The same inside the gateway, where the search fee may depend on the size of the context. */
export const Rates = AiCostRates.extend({ search_context_cost_per_query: z.union([rate, SearchRates]).optional() });
export type Rates = z.infer<typeof Rates>;

const tokens = z.int().nonnegative().optional();

/**
 * One model of a price file in the common per-token map format. Beside the rates: sizes, `mode`, `litellm_provider` (whose prices
 * these are, when the model's name does not say so) and any number of `supports_…`. What is unknown is kept.
 */
export const ModelPrice = Rates.extend({
  litellm_provider: z.string().optional(),
  mode: z.string().optional(),
  max_tokens: tokens,
  max_input_tokens: tokens,
  max_output_tokens: tokens,
  /** Ours: the first day (UTC) on which the entry holds, `2026-12-01`; always, when absent. */
  effective_from: z.iso.date().optional(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/** A price file: model name to price, or to several prices with different first days. */
export const PriceMap = z.record(z.string(), z.union([ModelPrice, z.array(ModelPrice).min(1)]));
export type PriceMap = z.infer<typeof PriceMap>;
