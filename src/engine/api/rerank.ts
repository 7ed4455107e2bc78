import { z } from "zod";
import { ExtraFields, Fallbacks, ModelName } from "./common.ts";
import { Usage } from "./usage.ts";

const RerankDocument = z.looseObject({
  text: z.string().min(1),
  id: z.string().optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type RerankDocument = z.infer<typeof RerankDocument>;

/** A document as callers send it; a string is its text. */
const SentDocument = z.union([
  RerankDocument,
  z
    .string()
    .min(1)
    .transform((text): RerankDocument => ({ text })),
]);

/** Body of `POST /v1/rerank`. */
export const RerankRequest = z.looseObject({
  model: ModelName,
  query: z.string().min(1),
  documents: z.array(SentDocument).min(1),
  fallbacks: Fallbacks.optional(),
  top_n: z.int().min(1).optional(),
  max_tokens_per_doc: z.int().min(1).optional(),
  priority: z.int().optional(),
  return_documents: z.boolean().optional(),
  /**
   * What is done about a document that is longer than the model reads: `none` refuses it, `end` cuts it off with a warning. `end` unless
   * given; vendors' own words go to them as they are.
   */
  truncate: z.string().optional(),
});
export type RerankRequest = z.infer<typeof RerankRequest>;

/** The same as callers send it. */
export type SentRerankRequest = z.input<typeof RerankRequest>;

/** `index` points into the caller's list. */
const RerankResult = z.looseObject({
  index: z.int().nonnegative(),
  relevance_score: z.number(),
  document: RerankDocument.optional(),
});
export type RerankResult = z.infer<typeof RerankResult>;

/** Results in descending order of `relevance_score`. */
export const RerankResponse = z.looseObject({
  id: z.string().optional(),
  model: z.string(),
  results: z.array(RerankResult),
  usage: Usage.optional(),
  extra_fields: ExtraFields.optional(),
});
export interface RerankResponse extends z.infer<typeof RerankResponse> {}
