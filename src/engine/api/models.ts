import { z } from "zod";
import { ExtraFields } from "./common.ts";

/** Query of `GET /v1/models`; `page_size` 0 or absent means all. */
export const ModelListRequest = z.looseObject({
  page_size: z.coerce.number().int().nonnegative().optional(),
  page_token: z.string().optional(),
  provider: z.string().optional(),
});
export interface ModelListRequest extends z.infer<typeof ModelListRequest> {}

/** One model; `id` is `provider/model`, prices are decimal strings in US dollars per unit. */
export const Model = z.looseObject({
  id: z.string(),
  object: z.literal("model").optional(),
  canonical_slug: z.string().optional(),
  name: z.string().optional(),
  deployment: z.string().optional(),
  created: z.int().optional(),
  context_length: z.int().optional(),
  max_input_tokens: z.int().optional(),
  max_output_tokens: z.int().optional(),
  architecture: z
    .looseObject({
      modality: z.string().nullish(),
      tokenizer: z.string().nullish(),
      instruct_type: z.string().nullish(),
      input_modalities: z.array(z.string()).optional(),
      output_modalities: z.array(z.string()).optional(),
    })
    .optional(),
  pricing: z
    .looseObject({
      prompt: z.string().optional(),
      completion: z.string().optional(),
      request: z.string().optional(),
      image: z.string().optional(),
      web_search: z.string().optional(),
      internal_reasoning: z.string().optional(),
      input_cache_read: z.string().optional(),
      input_cache_write: z.string().optional(),
    })
    .optional(),
  top_provider: z
    .looseObject({
      is_moderated: z.boolean().optional(),
      context_length: z.int().nullish(),
      max_completion_tokens: z.int().nullish(),
    })
    .optional(),
  per_request_limits: z
    .looseObject({ prompt_tokens: z.int().optional(), completion_tokens: z.int().optional() })
    .nullish(),
  supported_parameters: z.array(z.string()).optional(),
  default_parameters: z
    .looseObject({
      temperature: z.number().nullish(),
      top_p: z.number().nullish(),
      frequency_penalty: z.number().nullish(),
    })
    .nullish(),
  model_hub_id: z.string().nullish(),
  description: z.string().optional(),
  owned_by: z.string().optional(),
  supported_methods: z.array(z.string()).optional(),
  /** The month of the latest texts that the model was trained on: `2023-09`. */
  knowledge_cutoff: z.string().optional(),
});
export type Model = z.infer<typeof Model>;

/** A page of models, sorted by id; `next_page_token` is absent on the last page. */
export const ModelListResponse = z.looseObject({
  object: z.literal("list").optional(),
  data: z.array(Model),
  extra_fields: ExtraFields.optional(),
  next_page_token: z.string().optional(),
});
export interface ModelListResponse extends z.infer<typeof ModelListResponse> {}
