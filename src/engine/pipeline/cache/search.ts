import { type CacheLookup, emitCache, mayRead } from "./lookup.ts";
import { type Embedded, embedChat, findSimilar } from "./similar-question.ts";
import type { Hit } from "./single-flight.ts";

/** The hit for a question, and the question as a vector, where it has one. */
export interface SearchResultOfCache {
  readonly hit?: Hit | undefined;
  readonly embedded?: Embedded | undefined;
}

/** Looks for the answer to the same question, where that takes time, then for that of a similar one. */
export async function search(
  lookup: CacheLookup,
  same: Promise<Hit | undefined> | undefined,
): Promise<SearchResultOfCache> {
  const hit = await same;
  if (hit) return { hit };
  const embedded = await embedChat(lookup);
  if (!mayRead(lookup)) return { embedded };
  const similar = embedded && (await findSimilar(lookup, embedded));
  if (!similar) emitCache(lookup, () => ({ result: "miss" }));
  return { hit: similar, embedded };
}
