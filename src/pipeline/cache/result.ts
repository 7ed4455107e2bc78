import type { ChatChunk } from "../../api/chat.ts";
import type { RequestType } from "../../api/common.ts";
import type { QuestionKind } from "../../cache/fingerprint.ts";
import type { Target } from "../../route/plan.ts";
import type { Attempt } from "../attempt.ts";
import type { Hit } from "./flight.ts";
import { admitHit, type Give, giveStream, giveWhole } from "./give.ts";
import { type Inquiry, markServed } from "./inquiry.ts";

/** How results of a verb go into the cache and come out of it. */
export interface Cached<Result> {
  readonly kind: QuestionKind;
  readonly isStream: boolean;
  readonly give: Give<Result>;
}

/** What runs through the cache. */
export interface Run<Result> {
  readonly request: object;
  readonly targets: readonly Target[];
  /** Asks and delivers, as without a cache; `noteServed` is told who answered, before the delivery. */
  readonly ask: (noteServed?: (attempt: Attempt) => void) => Promise<Result>;
}

const whole = { isStream: false, give: giveWhole };

/** By request type. A chat and its stream are one kind: what is kept is whole, and told as it is asked for. */
const cachedTypes = {
  chat_completion: { kind: "chat", ...whole },
  chat_completion_stream: { kind: "chat", isStream: true, give: giveStream },
  embedding: { kind: "embedding", ...whole },
  rerank: { kind: "rerank", ...whole },
  decision: { kind: "decision", ...whole },
} as const satisfies Record<Exclude<RequestType, "list_models">, Cached<never> | Cached<AsyncIterable<ChatChunk>>>;

/** How results of a type are kept and given. The cast is the seam between a request's type and its verb's result. */
export function cachedFor<Result>(type: RequestType): Cached<Result> {
  return cachedTypes[type as keyof typeof cachedTypes] as unknown as Cached<Result>;
}

/** The same, with the way of its verb. */
export interface CachedRun<Result> extends Run<Result> {
  readonly cached: Cached<Result>;
}

/** A hit, unless a limit refuses it: then the ordinary way says so. */
export function giveOrAsk<Result>(inquiry: Inquiry, run: CachedRun<Result>, hit: Hit): Promise<Result> {
  const goOn = (isAdmitted: boolean) => (isAdmitted ? run.cached.give(inquiry, hit) : askOn(inquiry, run));
  const admitted = admitHit(inquiry, { type: hit.type, name: hit.name, facts: hit.facts, saved: hit.answer.cost });
  return admitted instanceof Promise ? admitted.then(goOn) : goOn(admitted);
}

/** Asks, with the cache still having to do with it. */
export function askOn<Result>(inquiry: Inquiry, { ask }: CachedRun<Result>): Promise<Result> {
  return ask((attempt) => markServed(inquiry, attempt));
}
