import { z } from "zod";
import type { Sharing } from "../caching/scope.ts";
import { type CacheMode, type CacheSettings, defaultCacheSettings, defaultThreshold } from "../caching/settings.ts";
import type { AnswerCache } from "../ports/answers.ts";
import type { VectorIndex } from "../ports/vectors.ts";
import { type Duration, durationIn } from "../runtime/duration.ts";
import { duration } from "./duration.ts";

/** Who checks the hits of similar questions. */
export interface HitCheckOptions {
  /** As `provider/model`: any chat model, or one that decides natively. */
  readonly model: string;
  /** The least probability that the answer fits, from 0 to 1. */
  readonly threshold?: number | undefined;
}

/** The least probability that an answer fits unless options say otherwise. */
export const defaultCheckThreshold = 0.8;

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
  /** How long an answer is good for, in milliseconds or as text such as `"12h"`; a day by default. */
  readonly ttl?: Duration | undefined;
  /** Cosine similarity that another question needs to be given an answer; 0.95 by default, 0.94 with `minilm-l6-v2`. */
  readonly threshold?: number | undefined;
  /**
   * Groups of words of which one cannot stand for another, next to the built-in ones: `"gold|silver"`, forms of one word apart by spaces.
   * A question is not given the answer to one with another member of a group.
   */
  readonly opposites?: readonly string[] | undefined;
  /**
   * True to look for similar questions, emit what would have been a hit as an event `cache` of the result `would_hit`, and ask all the
   * same: an owner sees how good the hits would be. False by default.
   */
  readonly shadow?: boolean | undefined;
  /**
   * Has a model say whether the answer to a similar question answers this one too, before it is given: a typed decision, which is part of the
   * call and on its bill. Below `threshold`, 0.8 by default, or where the model fails, the question counts as another. Given with `embed`; a
   * shadow checks nothing.
   */
  readonly check?: HitCheckOptions | undefined;
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
  ttl: duration("ms").optional(),
  threshold: z.number().min(0).max(1).optional(),
  opposites: z.array(z.string().regex(/\|/, "must be words apart by `|`")).optional(),
  shadow: z.boolean().optional(),
  check: z
    .strictObject({
      model: z.string().regex(/^[^/]+\/.+$/, "must be `provider/model`"),
      threshold: z.number().min(0).max(1).optional(),
    })
    .optional(),
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
  .refine(({ check, embed }) => check === undefined || embed !== undefined, {
    path: ["check"],
    message: "checks similar questions, which are found with `embed`",
  })
  .optional();

/** The terms of a cache, with the defaults where the options say nothing. */
export function cacheSettingsOf({ scope, ttl, threshold, mode, embed }: CacheOptions): CacheSettings {
  return {
    sharing: scope ?? defaultCacheSettings.sharing,
    ttl: (ttl === undefined ? undefined : durationIn("ms", ttl)) ?? defaultCacheSettings.ttl,
    threshold: threshold ?? defaultThreshold(embed),
    mode: mode ?? defaultCacheSettings.mode,
  };
}
