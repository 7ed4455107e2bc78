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
export type EmbeddingResponse = z.infer<typeof EmbeddingResponse>;
