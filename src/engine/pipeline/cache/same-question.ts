import { nameAnswer } from "../../caching/scope.ts";
import type { CacheSettings } from "../../caching/settings.ts";
import type { CachedAnswer } from "../../ports/answers.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { type CacheLookup, emitCache } from "./lookup.ts";
import type { Hit } from "./single-flight.ts";

/** The cached answer to the very same question. Synchronous where the cache is; a cache that fails has no answer. */
export function findSame(lookup: CacheLookup): MaybePromise<Hit | undefined> {
  const { cache, location, call } = lookup;
  try {
    const found = cache.answers.get(location.scope, location.id, call.ports.clock.now());
    if (!(found instanceof Promise)) return toHit(lookup, found);
    return waitFor(lookup, found).then(
      (answer) => toHit(lookup, answer),
      (error) => reportFailure(lookup, error),
    );
  } catch (error) {
    return reportFailure(lookup, error);
  }
}

/** Waits for the cache or the index, a second at most: a later answer counts as a failure. */
export function waitFor<Value>({ call }: CacheLookup, answer: Promise<Value>): Promise<Value>;
export function waitFor<Value>({ call }: CacheLookup, answer: MaybePromise<Value>): MaybePromise<Value>;
export function waitFor<Value>({ call }: CacheLookup, answer: MaybePromise<Value>): MaybePromise<Value> {
  return answer instanceof Promise ? call.ports.accounting.timeouts.short.wait(answer, "cache") : answer;
}

/** True for an answer that is young enough for the caller. */
export function isFresh({ storedAt }: CachedAnswer, { ttl }: CacheSettings, now: number): boolean {
  return now - storedAt < ttl;
}

function toHit(
  { location: { scope, id }, settings, call }: CacheLookup,
  answer: CachedAnswer | undefined,
): Hit | undefined {
  if (!answer || !isFresh(answer, settings, call.ports.clock.now())) return undefined;
  return { type: "direct", answer, name: nameAnswer(scope, id) };
}

/** Reports that the cache failed; the question is asked as without a cache. */
export function reportFailure(lookup: CacheLookup, error: unknown): undefined {
  emitCache(lookup, () => ({ result: "failed", error }));
  return undefined;
}
