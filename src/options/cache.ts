import { z } from "zod";
import type { Sharing } from "../caching/scope.ts";
import { type CacheMode, type CacheSettings, defaultCacheSettings } from "../caching/settings.ts";
import type { AnswerCache } from "../ports/answers.ts";
import type { VectorIndex } from "../ports/vectors.ts";

/** How answers are kept and given again; without it, no answer is. */
export interface CacheOptions {
  /** Where answers are kept, e.g. `memoryCache()`. */
  readonly answers: AnswerCache;
  /** Finds similar questions, e.g. `embeddedVectors()`; given together with `embed`. Without it only the same question has the answer. */
  readonly vectors?: VectorIndex | undefined;
  /** The model that embeds questions, as `provider/model`. */
  readonly embed?: string | undefined;
  /** Who shares answers: callers with the same `key` (the default), `project` or `customer`. The trusted caller has its own. */
  readonly scope?: Sharing | undefined;
  /** Milliseconds that an answer is good for; a day by default. */
  readonly ttl?: number | undefined;
  /** Cosine similarity that another question needs to be given an answer; 0.95 by default. */
  readonly threshold?: number | undefined;
  /** What is done for calls that do not say; `on` by default, `off` leaves it to them. */
  readonly mode?: CacheMode | undefined;
}

function portOf(...methods: readonly string[]) {
  return z.custom<unknown>(
    (value) =>
      typeof value === "object" &&
      value !== null &&
      methods.every((name) => typeof (value as Record<string, unknown>)[name] === "function"),
    `must be an object with ${methods.join(", ")}`,
  );
}

/** The settings of a cache that a configuration file may hold as they are; `ttl` in milliseconds. */
export const plainCacheOptions = {
  embed: z
    .string()
    .regex(/^[^/]+\/.+$/, "must be `provider/model`")
    .optional(),
  scope: z.enum(["key", "project", "customer"]).optional(),
  ttl: z.number().positive().optional(),
  threshold: z.number().min(0).max(1).optional(),
  mode: z.enum(["off", "read", "write", "on"]).optional(),
};

/** The shape of {@link CacheOptions}. */
export const CacheShape = z
  .strictObject({
    ...plainCacheOptions,
    answers: portOf("get", "put", "delete", "clear"),
    vectors: portOf("put", "nearest", "delete", "clear").optional(),
  })
  .refine(({ vectors, embed }) => (vectors === undefined) === (embed === undefined), {
    path: ["embed"],
    message: "is given together with `vectors`, or neither is",
  })
  .optional();

/** The terms of a cache, with the defaults where the options say nothing. */
export function cacheSettingsOf({ scope, ttl, threshold, mode }: CacheOptions): CacheSettings {
  return {
    sharing: scope ?? defaultCacheSettings.sharing,
    ttl: ttl ?? defaultCacheSettings.ttl,
    threshold: threshold ?? defaultCacheSettings.threshold,
    mode: mode ?? defaultCacheSettings.mode,
  };
}
