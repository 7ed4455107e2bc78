import type { CacheOptions } from "../../options/cache.ts";
import type { AnswerCache } from "../../ports/answers.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { onlyPresent } from "../present.ts";

/** The cache of a configuration: answers in memory or in Redis, and vectors in memory where a model embeds. */
export async function openCache(cache: GatewayConfig["cache"]): Promise<CacheOptions | undefined> {
  if (cache === undefined) return undefined;
  const { answers: address, maxBytes, maxEntries, ttl, ...settings } = cache;
  const answers = address === undefined ? await inMemory(maxBytes) : await inRedis(address);
  const kept = { ...onlyPresent({ ...settings, ttl: ttl === undefined ? undefined : ttl * 1_000 }), answers };
  if (settings.embed === undefined) return kept;
  const { embeddedVectors } = await import("tollgate/vectors/embedded");
  return { ...kept, vectors: embeddedVectors(onlyPresent({ maxEntries })) };
}

async function inMemory(maxBytes: number | undefined): Promise<AnswerCache> {
  return (await import("tollgate/caches/memory")).memoryCache(onlyPresent({ maxBytes }));
}

async function inRedis(address: string): Promise<AnswerCache> {
  return (await import("./redis.ts")).redisAnswersAt(address);
}
