import type { EmbeddingRequest, EmbeddingResponse } from "../api/embeddings.ts";
import type { CachedAnswer } from "../ports/answers.ts";
import { type DistinctTexts, distinctTexts, textId } from "./embedded-texts.ts";

/** The texts of an embedding request, as the cache sees them. */
export interface TextLookup {
  readonly texts: DistinctTexts;
  /** The ids under the first target, by position. */
  readonly ids: readonly string[];
  /** The answers to single texts that are cached, by position. */
  cached: readonly (CachedAnswer | undefined)[];
  /** Those that a provider gave, and the positions of their texts. */
  fresh: FreshTexts | undefined;
}

/** Answers to single texts that are not cached yet. */
export interface FreshTexts {
  readonly positions: readonly number[];
  readonly answers: readonly EmbeddingResponse[];
}

/** The texts of a request; `undefined` where it is looked up as a whole. */
export function openTexts(request: object, target: string): TextLookup | undefined {
  const texts = distinctTexts(request as EmbeddingRequest); // by the kind of the lookup
  if (!texts) return undefined;
  const ids: string[] = [];
  for (const position of texts.inputs.keys()) {
    const id = textId(texts, target, position);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return { texts, ids, cached: [], fresh: undefined };
}

/** The id of a request's only text under a target; `undefined` where it has several. */
export function onlyTextId({ texts, ids }: TextLookup, target: string): string | undefined {
  return ids.length === 1 ? textId(texts, target, 0) : undefined;
}
