import type { EmbeddingRequest, EmbeddingResponse } from "../../../api/embeddings.ts";
import type { Usage } from "../../../api/usage.ts";
import { type DistinctTexts, inRequest, joinAnswers, textId } from "../../../caching/embedded-texts.ts";
import { nameAnswer } from "../../../caching/scope.ts";
import type { TextLookup } from "../../../caching/text-lookup.ts";
import { sumUsages } from "../../../metering/counts.ts";
import type { CachedAnswer } from "../../../ports/answers.ts";
import type { MaybePromise } from "../../../runtime/maybe-promise.ts";
import type { CacheLocation, CacheLookup } from "../lookup.ts";
import { findSame, isFresh, reportFailure, waitFor } from "../same-question.ts";
import type { Hit } from "../single-flight.ts";

/** The cached answer to a request: to the very same one, or to all of its texts. */
export function findCached(lookup: CacheLookup): MaybePromise<Hit | undefined> {
  return lookup.texts ? findTexts(lookup, lookup.texts) : findSame(lookup);
}

/**
 * Looks up every text by itself. A hit where all are cached; else those that are stay noted, and only the others are asked for. Where
 * other models may answer, their vectors must not stand next to those of the first: then nothing is noted.
 */
function findTexts(lookup: CacheLookup, own: TextLookup): MaybePromise<Hit | undefined> {
  const { cache, location, call } = lookup;
  const now = call.ports.clock.now();
  const take = (found: readonly (CachedAnswer | undefined)[]) => takeTexts(lookup, own, found);
  try {
    const found = own.ids.map((id) => cache.answers.get(location.scope, id, now));
    if (!found.some((each) => each instanceof Promise)) return take(found as (CachedAnswer | undefined)[]);
    return waitFor(lookup, Promise.all(found)).then(take, (error) => reportFailure(lookup, error));
  } catch (error) {
    return reportFailure(lookup, error);
  }
}

function takeTexts(
  lookup: CacheLookup,
  own: TextLookup,
  found: readonly (CachedAnswer | undefined)[],
): Hit | undefined {
  const { settings, call, request, targets } = lookup;
  const now = call.ports.clock.now();
  const cached = found.map((answer) => (answer && isFresh(answer, settings, now) ? answer : undefined));
  const all = cached.filter((answer) => answer !== undefined);
  const mayMix = targets.length === 1 || (request as EmbeddingRequest).allow_other_model !== true;
  if (mayMix || all.length === cached.length) own.cached = cached;
  return all.length === cached.length ? hitOf(lookup, own, all) : undefined;
}

function hitOf({ location }: CacheLookup, { texts, ids }: TextLookup, all: readonly CachedAnswer[]): Hit {
  const [first] = all as readonly [CachedAnswer];
  const cached_inputs = texts.places.length;
  const name = ids.length === 1 ? nameAnswer(location.scope, ids[0] as string) : undefined;
  const answer: CachedAnswer = {
    body: JSON.stringify(joinAnswers(texts, all.map(answerOf))),
    provider: first.provider,
    deployment: first.deployment,
    cost: sumOf(all, ({ cost }) => cost),
    warnings: warningsOfCached(texts, all),
    storedAt: Math.min(...all.map(({ storedAt }) => storedAt)),
    expiresAt: Math.min(...all.map(({ expiresAt }) => expiresAt)),
  };
  return { type: "direct", answer, name, facts: { cached_inputs } };
}

/** The answer to a text, as it was stored. */
export function answerOf({ body }: CachedAnswer): EmbeddingResponse {
  return JSON.parse(body) as EmbeddingResponse;
}

/** The warnings of cached answers by position, each once, with the places of their texts. */
export function warningsOfCached(texts: DistinctTexts, cached: readonly (CachedAnswer | undefined)[]): string[] {
  const all = cached.flatMap((answer, at) => answer?.warnings.map((each) => inRequest(texts, [at], each)) ?? []);
  return [...new Set(all)];
}

/** What cached answers save: their cost in nano-dollars, and their tokens where all of them were counted. */
export function savingOf(answers: readonly CachedAnswer[]): {
  readonly saved: number;
  readonly tokens?: Usage | undefined;
} {
  return { saved: sumOf(answers, ({ cost }) => cost), tokens: sumUsages(answers.map((each) => answerOf(each).usage)) };
}

/** Texts whose vectors a target gave. */
interface TextsOfTarget {
  readonly own: TextLookup;
  readonly served: string;
}

/** Where the vector of a text is stored; `undefined` for a request that has no fingerprint. */
export function textLocation(
  { location: { scope }, target }: CacheLookup,
  { own, served }: TextsOfTarget,
  position: number,
): CacheLocation | undefined {
  const id = served === target.name ? own.ids[position] : textId(own.texts, served, position);
  return id === undefined ? undefined : { scope, id };
}

/** Deletes the cached vectors of a request; a cache that fails to keeps them until they expire. */
export async function forgetTexts(lookup: CacheLookup, { ids, cached }: TextLookup): Promise<void> {
  const { answers } = lookup.cache;
  const found = ids.filter((_, position) => cached[position] !== undefined);
  try {
    await waitFor(lookup, Promise.all(found.map((id) => answers.delete(lookup.location.scope, id))));
  } catch (error) {
    reportFailure(lookup, error);
  }
}

function sumOf(answers: readonly CachedAnswer[], numberOf: (answer: CachedAnswer) => number): number {
  return answers.reduce((sum, answer) => sum + numberOf(answer), 0);
}
