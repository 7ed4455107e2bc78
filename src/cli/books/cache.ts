import type { CacheOptions } from "../../options/cache.ts";
import type { AnswerCache } from "../../ports/answers.ts";
import type { VectorIndex } from "../../ports/vectors.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { onlyPresent } from "../present.ts";
import type { Wanted } from "./unusable.ts";
import type { vectorsAt } from "./vectors.ts";

/**
 * The cache of a configuration: answers in memory or in Redis; where a model embeds, vectors in memory or in PostgreSQL. Nobody needs it:
 * of a server that is out of reach `tell` is told why.
 */
export async function openCache(
  cache: GatewayConfig["cache"],
  tell: Wanted["tell"],
): Promise<CacheOptions | undefined> {
  if (cache === undefined) return undefined;
  const { answers: place, vectors, maxBytes, maxEntries, ttl: seconds, ...settings } = cache;
  const ttl = seconds === undefined ? undefined : seconds * 1_000;
  const answers = place === undefined ? await inMemory(maxBytes) : await inRedis(place, tell);
  const kept = { ...onlyPresent({ ...settings, ttl }), answers };
  if (settings.embed === undefined) return kept;
  return {
    ...kept,
    vectors: await (vectors === undefined ? inProcess(maxEntries) : inPostgres({ address: vectors, ttl, tell })),
  };
}

async function inMemory(maxBytes: number | undefined): Promise<AnswerCache> {
  return (await import("tollgate/caches/memory")).memoryCache(onlyPresent({ maxBytes }));
}

async function inRedis(address: string, tell: Wanted["tell"]): Promise<AnswerCache> {
  return (await import("./redis.ts")).redisAnswersAt(address, tell);
}

async function inProcess(maxEntries: number | undefined): Promise<VectorIndex> {
  return (await import("tollgate/vectors/embedded")).embeddedVectors(onlyPresent({ maxEntries }));
}

async function inPostgres(place: Parameters<typeof vectorsAt>[0]): Promise<VectorIndex> {
  return (await import("./vectors.ts")).vectorsAt(place);
}
