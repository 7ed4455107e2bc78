import { z } from "zod";

/** `kind` of answer that `extra_fields.request_type` names. */
export const RequestType = z.enum([
  "list_models",
  "chat_completion",
  "chat_completion_stream",
  "embedding",
  "rerank",
  "decision",
  "tool_call",
]);
export type RequestType = z.infer<typeof RequestType>;

/** What the cache did for this answer. */
export const CacheDebug = z.looseObject({
  cache_hit: z.boolean(),
  cache_id: z.string().optional(),
  hit_type: z.enum(["direct", "semantic"]).optional(),
  requested_provider: z.string().optional(),
  requested_model: z.string().optional(),
  provider_used: z.string().optional(),
  model_used: z.string().optional(),
  input_tokens: z.int().optional(),
  threshold: z.number().optional(),
  similarity: z.number().optional(),
  /** Inputs of an embedding request whose vectors come from the cache. */
  cached_inputs: z.int().optional(),
});
export type CacheDebug = z.infer<typeof CacheDebug>;

/** Who served, how long it took (integer milliseconds) and what was ignored; on every answer and every chunk. */
export const ExtraFields = z.looseObject({
  request_type: RequestType,
  provider: z.string().optional(),
  model_requested: z.string().optional(),
  model_deployment: z.string().optional(),
  latency: z.int().optional(),
  chunk_index: z.int().optional(),
  raw_request: z.unknown().optional(),
  raw_response: z.unknown().optional(),
  cache_debug: CacheDebug.optional(),
  warnings: z.array(z.string()).optional(),
});
export type ExtraFields = z.infer<typeof ExtraFields>;

/** Marks a prefix that the provider should cache; `ttl` defaults to five minutes. */
export const CacheControl = z.looseObject({
  type: z.literal("ephemeral"),
  ttl: z.enum(["5m", "1h"]).optional(),
});
export type CacheControl = z.infer<typeof CacheControl>;

/** A record of so many fields, as the server checks it and as JSON Schema says it. */
export function counted<Values extends z.ZodRecord>(
  record: Values,
  bounds: { readonly minProperties?: number; readonly maxProperties?: number },
  message: string,
): Values {
  const { minProperties = 0, maxProperties = Infinity } = bounds;
  const isWithin = (value: object) => {
    const count = Object.keys(value).length;
    return count >= minProperties && count <= maxProperties;
  };
  return record.refine(isWithin, message).meta(bounds);
}

/** Characters that a model's name may have. */
export const longestModel = 2_048;

/** `provider/model`; its form is checked by the route layer, which answers `invalid_model`. */
export const ModelName = z.string().max(longestModel);

/** Further `provider/model` names, asked in order when the first cannot answer. */
export const Fallbacks = z.array(ModelName).max(64);
