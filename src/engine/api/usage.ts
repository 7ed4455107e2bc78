import { z } from "zod";

const count = z.int().nonnegative();

/** Parts of `prompt_tokens`; cached reads and writes are inside the total for every provider. */
export const PromptTokensDetails = z.looseObject({
  text_tokens: count.optional(),
  audio_tokens: count.optional(),
  image_tokens: count.optional(),
  cached_read_tokens: count.optional(),
  cached_write_tokens: count.optional(),
});

/** Parts of `completion_tokens`. */
export const CompletionTokensDetails = z.looseObject({
  text_tokens: count.optional(),
  accepted_prediction_tokens: count.optional(),
  audio_tokens: count.optional(),
  citation_tokens: count.optional(),
  num_search_queries: count.optional(),
  reasoning_tokens: count.optional(),
  image_tokens: count.optional(),
  rejected_prediction_tokens: count.optional(),
});

/** Cost in US dollars, split by what it was for; absent while no price is known. */
export const Cost = z.looseObject({
  input_tokens_cost: z.number().optional(),
  output_tokens_cost: z.number().optional(),
  reasoning_tokens_cost: z.number().optional(),
  citation_tokens_cost: z.number().optional(),
  search_queries_cost: z.number().optional(),
  request_cost: z.number().optional(),
  total_cost: z.number(),
});
export type Cost = z.infer<typeof Cost>;

/** Token counts: `total_tokens` = prompt + completion, details never exceed their parent (inference-resolved.md, section 9). */
export const Usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: PromptTokensDetails.optional(),
  completion_tokens_details: CompletionTokensDetails.optional(),
  /** What a vendor charges for, where it is not what it counted (Cohere). */
  billed_units: z.looseObject({ input_tokens: count.optional(), output_tokens: count.optional() }).optional(),
  cost: Cost.optional(),
});
export type Usage = z.infer<typeof Usage>;
