import type { CacheDebug } from "../../api/common.ts";
import { fingerprint, type QuestionKind } from "../../cache/fingerprint.ts";
import { nameAnswer, scopeOf } from "../../cache/scope.ts";
import { type CacheTerms, narrowTerms, openTerms, reads, writes } from "../../cache/terms.ts";
import { announce, type EventMap } from "../../events.ts";
import type { Target } from "../../route/plan.ts";
import type { Attempt } from "../attempt.ts";
import { type Call, eventOf } from "../call.ts";
import type { CacheBook, Place } from "./book.ts";

/** A question that the cache has to do with. */
export interface Inquiry {
  readonly call: Call;
  readonly book: CacheBook;
  readonly terms: CacheTerms;
  readonly kind: QuestionKind;
  readonly request: object;
  /** Who would be asked first: only that target's answers are given. */
  readonly target: Target;
  readonly targets: readonly Target[];
  readonly place: Place;
}

/** What is asked, by its verb. */
export interface Asking {
  readonly kind: QuestionKind;
  readonly request: object;
  readonly targets: readonly Target[];
}

/**
 * The question as the cache sees it, or `undefined` where it has nothing to do with the call: none is configured, the caller does not
 * want it, wants to see what is exchanged with the provider, or asks what has no fingerprint.
 */
export function inquire(call: Call, { kind, request, targets }: Asking): Inquiry | undefined {
  const { cache: book } = call.ports;
  const [target] = targets;
  const terms = narrowTerms(book?.terms ?? openTerms, call.options.cache);
  if (!book || !target) return undefined;
  if (terms.mode === "off" || call.options.raw === true) return undefined;
  const id = fingerprint({ kind, target: target.name, request });
  if (id === undefined) return undefined;
  const place = { scope: scopeOf(call.access, terms.sharing), id };
  const debug: CacheDebug = {
    cache_hit: false,
    ...(writes(terms) ? { cache_id: nameAnswer(place.scope, id) } : {}),
    requested_provider: target.provider,
    requested_model: target.model,
  };
  call.cache = { debug, hit: undefined, warning: undefined };
  return { call, book, terms, kind, request, target, targets, place };
}

/** True when an answer that is kept may be given. */
export function mayRead({ terms }: Inquiry): boolean {
  return reads(terms);
}

/** True when the answer may be kept. */
export function mayWrite({ terms }: Inquiry): boolean {
  return writes(terms);
}

/** Notes whom the answer comes from, when it was asked for: it is kept for questions to that target. */
export function markServed(inquiry: Inquiry, { target, warnings }: Pick<Attempt, "target" | "warnings">): void {
  const { cache } = inquiry.call;
  if (!cache) return;
  if (cache.warning !== undefined) warnings.push(cache.warning);
  if (!writes(inquiry.terms) || target.name === inquiry.target.name) return;
  const place = placeFor(inquiry, target.name);
  if (place) cache.debug.cache_id = nameAnswer(place.scope, place.id);
}

/** Where the answer of another target to the same question is kept. */
export function placeFor({ kind, request, target, place }: Inquiry, served: string): Place | undefined {
  if (served === target.name) return place;
  const id = fingerprint({ kind, target: served, request });
  return id === undefined ? undefined : { ...place, id };
}

/** Tells what the cache did; the event is only made when somebody listens. */
export function announceCache(
  { call }: Inquiry,
  make: () => Omit<EventMap["cache"], "event_id" | "request_type" | "model_requested">,
): void {
  announce(call.ports.events, "cache", () => ({
    ...eventOf(call),
    ...make(),
  }));
}
