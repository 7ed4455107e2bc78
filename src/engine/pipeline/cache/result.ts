import type { ChatChunk } from "../../api/chat.ts";
import type { RequestType } from "../../api/common.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../api/embeddings.ts";
import type { QuestionKind } from "../../caching/fingerprint.ts";
import type { CallHandler, RoutedCall, ServingAttempt } from "../call/routed-call.ts";
import { type CacheLookup, markServed } from "./lookup.ts";
import { admitHit, type ReplayAnswer, replayStream, replayWhole } from "./replay.ts";
import type { Hit } from "./single-flight.ts";
import { type AskVectors, askForRest } from "./texts/ask-rest.ts";

/** How the results of a verb are stored and replayed. */
export interface CachedVerb<Result> {
  readonly kind: QuestionKind;
  readonly isStream: boolean;
  readonly replay: ReplayAnswer<Result>;
}

const whole = { isStream: false, replay: replayWhole };

/** By request type. A chat and its stream are one kind: the cached answer is whole, and delivered as requested. */
const cachedTypes = {
  chat_completion: { kind: "chat", ...whole },
  chat_completion_stream: { kind: "chat", isStream: true, replay: replayStream },
  embedding: { kind: "embedding", ...whole },
  rerank: { kind: "rerank", ...whole },
  decision: { kind: "decision", ...whole },
} as const satisfies Record<
  Exclude<RequestType, "list_models" | "tool_call">,
  CachedVerb<never> | CachedVerb<AsyncIterable<ChatChunk>>
>;

/** How results of a type are stored and given. The cast is the seam between a request's type and its verb's result. */
export function cachedFor<Result>(type: RequestType): CachedVerb<Result> {
  return cachedTypes[type as keyof typeof cachedTypes] as unknown as CachedVerb<Result>;
}

/** A call that runs through the cache. */
export interface CachedRun<Result> {
  readonly verb: CachedVerb<Result>;
  /** Asks and delivers as without a cache; `onServed` is called with the attempt that answered, before the delivery. */
  readonly ask: (onServed?: (attempt: ServingAttempt) => void) => Promise<Result>;
}

/** Asks as without a cache; of texts that have vectors of their own, only for those that are not cached. */
export function askUncached<Request extends object, Result>(
  lookup: CacheLookup,
  routed: RoutedCall<Request>,
  next: CallHandler<Request, Result>,
): CachedRun<Result>["ask"] {
  const { texts: own } = lookup;
  if (!own) return (onServed) => next({ ...routed, onServed });
  type EmbedHandler = CallHandler<EmbeddingRequest, EmbeddingResponse>;
  const embed = next as unknown as EmbedHandler; // seam: the lookup has texts, so the verb embeds
  const ask: AskVectors = (request, onServed) => embed({ ...routed, request, onServed });
  return (onServed) => askForRest(lookup, { own, ask, onServed }) as Promise<Result>;
}

/** The answer of a hit, unless a limit refuses it: asking then reports the refusal. */
export async function replayOrAsk<Result>(lookup: CacheLookup, run: CachedRun<Result>, hit: Hit): Promise<Result> {
  const { type, name, facts, pair, answer } = hit;
  const isAdmitted = await admitHit(lookup, { type, name, facts, pair, saved: answer.cost });
  return isAdmitted ? run.verb.replay(lookup, hit) : askOn(lookup, run);
}

/** Asks a call that has been looked up in the cache. */
export function askOn<Result>(lookup: CacheLookup, { ask }: CachedRun<Result>): Promise<Result> {
  return ask((attempt) => markServed(lookup, attempt));
}
