import { z } from "zod";
import { ExtraFields, Fallbacks, ModelName } from "./common.ts";
import { Usage } from "./usage.ts";

/** Body of `POST /v1/embeddings`: texts or token arrays. */
export const EmbeddingRequest = z.looseObject({
  model: ModelName,
  input: z.union([z.string(), z.array(z.string()), z.array(z.int()), z.array(z.array(z.int()))]),
  fallbacks: Fallbacks.optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
  dimensions: z.int().min(1).optional(),
  /**
   * What is done about a text that is empty, or longer than the model reads: `none` refuses it, `end` cuts it off with a warning. `end`
   * unless given; vendors' own words go to them as they are.
   */
  truncate: z.string().optional(),
  /** Fallbacks may be other models, whose vectors cannot be compared with those of the first. False unless given. */
  allow_other_model: z.boolean().optional(),
});
export type EmbeddingRequest = z.infer<typeof EmbeddingRequest>;

/** One vector: base64 of little-endian float32, numbers, or (multi-vector models) rows of numbers. */
export const Embedding = z.looseObject({
  index: z.int(),
  object: z.string(),
  embedding: z.union([z.string(), z.array(z.number()), z.array(z.array(z.number()))]),
});
export type Embedding = z.infer<typeof Embedding>;

export const EmbeddingResponse = z.looseObject({
  object: z.string(),
  model: z.string(),
  data: z.array(Embedding),
  usage: Usage.optional(),
  extra_fields: ExtraFields.optional(),
});
export interface EmbeddingResponse extends z.infer<typeof EmbeddingResponse> {}
