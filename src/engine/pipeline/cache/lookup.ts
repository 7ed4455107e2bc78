import type { CacheDebug } from "../../api/common.ts";
import { fingerprint, type QuestionKind } from "../../caching/fingerprint.ts";
import { type CacheScope, nameAnswer, scopeOf } from "../../caching/scope.ts";
import { applyPreference, type CacheSettings, defaultSettings, reads, writes } from "../../caching/settings.ts";
import { onlyTextId, openTexts, type TextLookup } from "../../caching/text-lookup.ts";
import { type EventMap, emit } from "../../events.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, eventOf } from "../call/call.ts";
import type { RoutedCall, ServingAttempt } from "../call/routed-call.ts";
import type { AnswerCacheSettings } from "../runtime/answer-cache.ts";

/** A question for the cache. */
export interface CacheLookup {
  readonly call: Call;
  readonly cache: AnswerCacheSettings;
  readonly settings: CacheSettings;
  readonly kind: QuestionKind;
  readonly request: object;
  /** The target to ask first: only its answers are returned. */
  readonly target: Target;
  readonly targets: readonly Target[];
  readonly location: CacheLocation;
  /** Of an embedding request whose texts are looked up one by one. */
  readonly texts: TextLookup | undefined;
}

/** The cache location of a question's answer. */
export interface CacheLocation {
  readonly scope: CacheScope;
  /** The fingerprint of the question. */
  readonly id: string;
}

/**
 * The question as the cache sees it, or `undefined` where the call bypasses it: none is configured, the caller does not want it,
 * wants to see what is exchanged with the provider, or asks for more than a fingerprint says.
 */
export function openLookup(
  { call, request, targets }: RoutedCall<object>,
  kind: QuestionKind,
): CacheLookup | undefined {
  const { cache } = call.ports;
  const [target] = targets;
  const settings = applyPreference(cache?.settings ?? defaultSettings, call.options.cache);
  if (!cache || !target) return undefined;
  if (settings.mode === "off" || call.options.raw === true) return undefined;
  const { responses, capabilities } = call.options;
  if (responses?.isRicher || capabilities) return undefined; // the request says more than what is fingerprinted
  const texts = kind === "embedding" ? openTexts(request, target.name) : undefined;
  const [single, ...further] = texts?.ids ?? [];
  const id =
    single !== undefined && further.length === 0 ? single : fingerprint({ kind, target: target.name, request });
  if (id === undefined) return undefined;
  const location = { scope: scopeOf(call.access, settings.sharing), id };
  const debug: CacheDebug = {
    cache_hit: false,
    ...(writes(settings) && further.length === 0 ? { cache_id: nameAnswer(location.scope, id) } : {}),
    requested_provider: target.provider,
    requested_model: target.model,
  };
  call.cache = { debug, hit: undefined, warning: undefined };
  return { call, cache, settings, kind, request, target, targets, location, texts };
}

/** True when a cached answer may be returned. */
export function mayRead({ settings }: CacheLookup): boolean {
  return reads(settings);
}

/** True when the answer may be stored. */
export function mayWrite({ settings }: CacheLookup): boolean {
  return writes(settings);
}

/** Notes which target gave a fresh answer: it is stored for questions to that target. */
export function markServed(lookup: CacheLookup, { target, warnings }: ServingAttempt): void {
  const { cache } = lookup.call;
  if (!cache) return;
  if (cache.warning !== undefined) warnings.push(cache.warning);
  if (!writes(lookup.settings) || target.name === lookup.target.name) return;
  const location = locationFor(lookup, target.name);
  if (location) cache.debug.cache_id = nameAnswer(location.scope, location.id);
}

/** Where another target's answer to the same question is stored; `undefined` for several texts, which are stored one by one. */
export function locationFor(
  { kind, request, target, location, texts }: CacheLookup,
  served: string,
): CacheLocation | undefined {
  if (served === target.name) return location;
  const id = texts ? onlyTextId(texts, served) : fingerprint({ kind, target: served, request });
  return id === undefined ? undefined : { ...location, id };
}

/** Emits what the cache did; the event is only made when there is a listener. */
export function emitCache(
  { call }: CacheLookup,
  make: () => Omit<EventMap["cache"], "event_id" | "request_type" | "model_requested">,
): void {
  emit(call.ports.events, "cache", () => ({
    ...eventOf(call),
    ...make(),
  }));
}
