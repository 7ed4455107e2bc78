import { nameAnswer } from "../../cache/scope.ts";
import type { CacheTerms } from "../../cache/terms.ts";
import type { KeptAnswer } from "../../ports/answers.ts";
import type { MaybePromise } from "../../ports/maybe-promise.ts";
import type { Hit } from "./flight.ts";
import { announceCache, type Inquiry } from "./inquiry.ts";

/** The kept answer to the very same question. Answers at once where the cache does; a cache that fails has no answer. */
export function findSame(inquiry: Inquiry): MaybePromise<Hit | undefined> {
  const { book, place, call } = inquiry;
  try {
    const found = book.answers.get(place.scope, place.id, call.ports.clock.now());
    if (!(found instanceof Promise)) return toHit(inquiry, found);
    return waitFor(inquiry, found).then(
      (answer) => toHit(inquiry, answer),
      (error) => tellFailure(inquiry, error),
    );
  } catch (error) {
    return tellFailure(inquiry, error);
  }
}

/** Waits for what the cache or the index is asked, a second at most: whoever does not answer has failed. */
export function waitFor<Value>({ call }: Inquiry, answer: Promise<Value>): Promise<Value>;
export function waitFor<Value>({ call }: Inquiry, answer: MaybePromise<Value>): MaybePromise<Value>;
export function waitFor<Value>({ call }: Inquiry, answer: MaybePromise<Value>): MaybePromise<Value> {
  return answer instanceof Promise ? call.ports.books.patience.short.wait(answer, "cache") : answer;
}

/** True for an answer that is young enough for the caller. */
export function isFresh({ keptAt }: KeptAnswer, { ttl }: CacheTerms, now: number): boolean {
  return now - keptAt < ttl;
}

function toHit({ place: { scope, id }, terms, call }: Inquiry, answer: KeptAnswer | undefined): Hit | undefined {
  if (!answer || !isFresh(answer, terms, call.ports.clock.now())) return undefined;
  return { type: "direct", answer, name: nameAnswer(scope, id) };
}

/** Tells that the cache failed; the question is asked as if there were none. */
export function tellFailure(inquiry: Inquiry, error: unknown): undefined {
  announceCache(inquiry, () => ({ result: "failed", error }));
  return undefined;
}
