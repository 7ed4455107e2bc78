import { GatewayError } from "../errors.ts";
import type { Sharing } from "./scope.ts";

/** What may be done for a call: look for an answer (`read`), keep the one that is given (`write`), both, or neither. */
export type CacheMode = "off" | "read" | "write" | "on";

/** What a caller may say of the cache. */
export interface CachePreference {
  /** `off` neither looks nor keeps, `read` only looks, `write` asks anew and keeps, `on` does both. */
  readonly mode?: CacheMode | undefined;
  /** Milliseconds: no older answer is given, and the one that is kept expires then. At most the configured time. */
  readonly ttl?: number | undefined;
  /** Similarity that another question's answer needs; at least the configured one. */
  readonly threshold?: number | undefined;
}

/** What is configured, and what a call makes of it. */
export interface CacheSettings {
  readonly mode: CacheMode;
  readonly sharing: Sharing;
  readonly ttl: number;
  readonly threshold: number;
}

/** The terms where nothing is configured: a day, and the similarity that docs/decisions/0069-similar-questions.md has measured. */
export const defaultCacheSettings: CacheSettings = { mode: "on", sharing: "key", ttl: 86_400_000, threshold: 0.95 };

/** Similarities that were measured for an embedding model, by its name without the provider; cosines of other models have another scale. */
const measuredThresholds: ReadonlyMap<string, number> = new Map([["minilm-l6-v2", 0.94]]);

/** The threshold where none is configured, for questions that this model (`provider/model`) embeds. */
export function defaultThreshold(embed: string | undefined): number {
  const model = embed?.slice(embed.indexOf("/") + 1) ?? "";
  return measuredThresholds.get(model) ?? defaultCacheSettings.threshold;
}

const modes: ReadonlySet<unknown> = new Set(["off", "read", "write", "on"] satisfies CacheMode[]);

/** Terms that leave everything to the caller: those of an engine without a cache, which only looks whether a wish makes sense. */
export const defaultSettings: CacheSettings = {
  mode: "off",
  sharing: "key",
  ttl: Number.MAX_SAFE_INTEGER,
  threshold: 0,
};

/** The terms of one call. A caller may be stricter about age and similarity, and never laxer; throws `invalid_request` naming the field. */
export function applyPreference(settings: CacheSettings, preference: CachePreference | undefined): CacheSettings {
  if (preference === undefined) return settings;
  const { mode = settings.mode, ttl = settings.ttl, threshold = settings.threshold } = preference;
  if (!modes.has(mode)) throw refuse("mode", "must be `off`, `read`, `write` or `on`");
  if (!(ttl > 0 && ttl <= settings.ttl))
    throw refuse("ttl", `must be more than 0 and at most ${settings.ttl / 1_000} seconds, the time that is configured`);
  if (!(threshold >= settings.threshold && threshold <= 1))
    throw refuse("threshold", `must be a number from ${settings.threshold} to 1: it may only be raised`);
  return { ...settings, mode, ttl, threshold };
}

/** True when kept answers may be given. */
export function reads({ mode }: CacheSettings): boolean {
  return mode === "on" || mode === "read";
}

/** True when answers may be kept. */
export function writes({ mode }: CacheSettings): boolean {
  return mode === "on" || mode === "write";
}

function refuse(field: keyof CachePreference, problem: string): GatewayError {
  const param = `cache.${field}`;
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
