import { z } from "zod";
import { op } from "../../../define.ts";
import { flag, instant } from "../../fields.ts";

/** Requests in a period, and what answers of the cache saved in it. Money is in US dollars. */
const savings = {
  requests: z.int(),
  hits: z.int(),
  /** Hits in all requests, 0 to 1; 0 without requests. */
  hit_rate: z.number(),
  saved: z.number(),
  saved_prompt_tokens: z.int(),
  saved_completion_tokens: z.int(),
};

/** What is stored now; absent where the cache cannot tell. */
const size = { answers: z.int().optional(), bytes: z.int().optional() };

const CacheScopeKind = z.enum(["key", "project", "customer"]);

/** The cache of answers, as far as it concerns the caller. */
export const AiCache = z.object({
  /** False where the gateway stores no answers; then there are no settings. */
  is_enabled: flag,
  /** Who shares answers: callers with the same key, project or customer. */
  shared_by: CacheScopeKind.optional(),
  mode: z.string().optional(),
  /** Milliseconds for which an answer is given again. */
  ttl: z.number().optional(),
  /** True where similar questions share answers. */
  is_semantic: flag.optional(),
  ...size,
  /** True where the caller has more than 1,000 scopes: the size is that of the first ones. */
  is_partial: flag,
  from: instant,
  to: instant,
  ...savings,
});
export type AiCache = z.output<typeof AiCache>;

/** A scope of the cache, e.g. `key:vk_1`: whose answers are given to each other. */
export const AiCacheScope = z.object({
  scope: z.string(),
  /** The key, project or customer. */
  id: z.string(),
  name: z.string(),
  ...size,
  ...savings,
});
export type AiCacheScope = z.output<typeof AiCacheScope>;

/** A stored answer. Neither the question nor the answer is shown. */
export const AiCachedAnswer = z.object({
  /** As `cache_debug.cache_id` names it: the scope, `/` and the id. */
  cache_id: z.string(),
  id: z.string(),
  /** `provider/model` that gave it. */
  model: z.string(),
  stored_at: instant,
  expires_at: instant,
  /** What it cost, in US dollars: saved whenever it is given again. */
  cost: z.number(),
  bytes: z.int(),
});
export type AiCachedAnswer = z.output<typeof AiCachedAnswer>;

const isExtension = true;
const period = { start: instant.optional(), end: instant.optional() };

/** The cache of answers. */
export const aiCache = {
  cache: op("GET /ai/cache", "ai_cache-get", "Read the size of the answer cache, its hit rate and what it saved", {
    in: period,
    out: AiCache,
    isExtension,
  }),
  cacheScopes: op("GET /ai/cache/scopes", "ai_cache_scopes-get", "List the scopes of the answer cache", {
    in: { ...period, kind: CacheScopeKind.optional() },
    out: z.array(AiCacheScope),
    isExtension,
  }),
  cachedAnswers: op(
    "GET /ai/cache/scopes/{cache_scope}/answers",
    "ai_cache_answers-get",
    "List the stored answers of a scope, without their content",
    {
      in: { limit: z.int().min(1).max(1_000).optional(), after: z.string().min(1).max(500).optional() },
      out: z.array(AiCachedAnswer),
      isExtension,
    },
  ),
  forgetAnswers: op(
    "DELETE /ai/cache/scopes/{cache_scope}",
    "ai_cache_scope-delete",
    "Remove all stored answers of a scope",
    { out: z.object({ deleted: z.int() }), isExtension },
  ),
  forgetAnswer: op(
    "DELETE /ai/cache/scopes/{cache_scope}/answers/{answer_id}",
    "ai_cache_answer-delete",
    "Remove one stored answer",
    { isExtension },
  ),
};
