import type { CacheOptions } from "../../options/cache.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { onlyPresent } from "../present.ts";

/** The cache of a configuration: answers in memory, and vectors beside them where a model embeds. */
export async function openCache(cache: GatewayConfig["cache"]): Promise<CacheOptions | undefined> {
  if (cache === undefined) return undefined;
  const { maxBytes, maxEntries, ttl, ...settings } = cache;
  const { memoryCache } = await import("tollgate/caches/memory");
  const answers = memoryCache(onlyPresent({ maxBytes }));
  const kept = { ...onlyPresent({ ...settings, ttl: ttl === undefined ? undefined : ttl * 1_000 }), answers };
  if (settings.embed === undefined) return kept;
  const { embeddedVectors } = await import("tollgate/vectors/embedded");
  return { ...kept, vectors: embeddedVectors(onlyPresent({ maxEntries })) };
}
