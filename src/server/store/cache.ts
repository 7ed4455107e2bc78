import type { CacheOptions } from "../../engine/options/cache.ts";
import type { AnswerCache } from "../../engine/ports/answers.ts";
import type { VectorIndex } from "../../engine/ports/vectors.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { onlyPresent } from "../present-options.ts";
import type { ConfiguredServer } from "./unusable.ts";
import type { vectorsAt } from "./vectors.ts";

/**
 * Opens the configured cache: answers in memory or in Redis, vectors in memory or in PostgreSQL. The cache is optional, so an unreachable
 * server is reported to `notify` and causes no error.
 */
export async function openCache(
  cache: CheckedConfig["cache"],
  notify: ConfiguredServer["notify"],
): Promise<CacheOptions | undefined> {
  if (cache === undefined) return undefined;
  const { answers: address, vectors, maxBytes, maxEntries, ttl: seconds, review: _pairs, ...settings } = cache;
  const ttl = seconds === undefined ? undefined : seconds * 1_000;
  const answers = address === undefined ? await inMemory(maxBytes) : await inRedis(address, notify);
  const store = { ...onlyPresent({ ...settings, ttl }), answers };
  if (settings.embed === undefined) return store;
  return {
    ...store,
    vectors: await (vectors === undefined ? inProcess(maxEntries) : inPostgres({ address: vectors, ttl, notify })),
  };
}

async function inMemory(maxBytes: number | undefined): Promise<AnswerCache> {
  return (await import("tollgate/caches/memory")).memoryCache(onlyPresent({ maxBytes }));
}

async function inRedis(address: string, notify: ConfiguredServer["notify"]): Promise<AnswerCache> {
  return (await import("./redis/adapters.ts")).redisAnswersAt(address, notify);
}

async function inProcess(maxEntries: number | undefined): Promise<VectorIndex> {
  return (await import("tollgate/vectors/embedded")).embeddedVectors(onlyPresent({ maxEntries }));
}

async function inPostgres(address: Parameters<typeof vectorsAt>[0]): Promise<VectorIndex> {
  return (await import("./vectors.ts")).vectorsAt(address);
}
