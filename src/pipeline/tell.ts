import type { ChatChunk } from "../api/chat.ts";
import type { ExtraFields } from "../api/common.ts";
import type { Usage } from "../api/usage.ts";
import type { Clock } from "../ports.ts";
import type { Bill } from "../usage/cost.ts";
import { saidBeside } from "../usage/said.ts";
import type { Attempt } from "./attempt.ts";
import { type Call, since } from "./call.ts";
import { toldUsage } from "./estimate.ts";

/** What a stream's teller keeps between chunks. */
export interface Teller {
  readonly call: Call;
  readonly clock: Clock;
  readonly showsUsage: boolean;
  /** Who is told of; another one after a recovery. */
  attempt: Attempt;
  /** What all chunks of that one say of it. */
  origin: Origin;
  readonly openChoices: Set<number>;
  readonly finishedChoices: Set<number>;
  /** The one that was added last, which most chunks go on with. */
  lastOpen: number | undefined;
  /** Something else than text was told, which no other target can go on with. */
  hasOtherThanText: boolean;
  index: number;
  lastAt: number;
  reportedWarnings: number;
  /** All text of the answer, for counting and for going on. */
  text: string;
  /** All else that was generated, for counting. */
  spare: string;
  /** Characters of it all that were billed to a target that broke off. */
  counted: number;
  usage: Usage | undefined;
  bill: Bill | undefined;
  serviceTier: string | undefined;
}

type Origin = Pick<ExtraFields, "request_type" | "provider" | "model_requested" | "model_deployment">;

function originOf(call: Call, { target, model }: Attempt): Origin {
  return {
    request_type: call.requestType,
    provider: target.provider,
    model_requested: call.modelRequested,
    model_deployment: model,
  };
}

/** Tells of another attempt from now on. */
export function tellOfNext(teller: Teller, attempt: Attempt): void {
  teller.attempt = attempt;
  teller.origin = originOf(teller.call, attempt);
  teller.usage = undefined;
  teller.serviceTier = undefined;
  teller.reportedWarnings = 0;
}

/** A teller at the beginning of a stream. */
export function beginTelling(call: Call, attempt: Attempt, showsUsage: boolean): Teller {
  return {
    call,
    clock: call.ports.clock,
    attempt,
    origin: originOf(call, attempt),
    showsUsage,
    openChoices: new Set(),
    finishedChoices: new Set(),
    lastOpen: undefined,
    hasOtherThanText: false,
    index: 0,
    lastAt: call.startedAt,
    reportedWarnings: 0,
    text: "",
    spare: "",
    counted: 0,
    bill: undefined,
    usage: undefined,
    serviceTier: undefined,
  };
}

/** Takes in what a chunk says, before it is told. */
export function takeIn(teller: Teller, chunk: ChatChunk): void {
  for (const { index, delta, finish_reason } of chunk.choices) {
    if (finish_reason !== null) {
      teller.openChoices.delete(index);
      teller.lastOpen = undefined;
      teller.finishedChoices.add(index);
    } else if (index !== teller.lastOpen && !teller.finishedChoices.has(index)) {
      teller.openChoices.add(index);
      teller.lastOpen = index;
    }
    if (delta.content) teller.text += delta.content;
    if (index > 0) teller.hasOtherThanText = true;
    if (delta.reasoning || delta.refusal || delta.audio || delta.tool_calls) takeInOther(teller, delta);
  }
  if (chunk.usage) teller.usage = toldUsage(teller.attempt, chunk.usage) ?? teller.usage;
  if (typeof chunk.service_tier === "string") teller.serviceTier = chunk.service_tier;
}

/** Parts that cannot be gone on with by another target; they are counted all the same. */
function takeInOther(teller: Teller, delta: ChatChunk["choices"][number]["delta"]): void {
  if (delta.refusal || delta.audio || delta.tool_calls) teller.hasOtherThanText = true;
  teller.spare += saidBeside(delta);
}

/** True when a choice has finished and none is open: a stream that ends now is not cut off. */
export function isComplete({ finishedChoices, openChoices }: Teller): boolean {
  return finishedChoices.size > 0 && openChoices.size === 0;
}

/** True when the chunk is the last that the caller sees. */
function isLast(teller: Teller, chunk: ChatChunk): boolean {
  return teller.showsUsage ? chunk.usage !== undefined : isComplete(teller);
}

/** The chunk as the caller sees it. */
export function tell(teller: Teller, chunk: ChatChunk, usage: Usage | undefined): ChatChunk {
  const { call, attempt, origin } = teller;
  const now = teller.clock.now();
  const ends = isLast(teller, chunk);
  const extra: ExtraFields = {
    request_type: origin.request_type,
    provider: origin.provider,
    model_requested: origin.model_requested,
    model_deployment: origin.model_deployment,
    latency: since(ends ? call.startedAt : teller.lastAt, now),
    chunk_index: teller.index++,
  };
  teller.lastAt = now;
  if (ends) {
    addRaw(extra, attempt);
    if (call.cache) extra.cache_debug = call.cache.debug;
  }
  if (attempt.warnings.length > teller.reportedWarnings) {
    teller.reportedWarnings = attempt.warnings.length;
    extra.warnings = [...attempt.warnings];
  }
  if (!chunk.usage) return { ...chunk, extra_fields: extra };
  if (teller.showsUsage && usage) return { ...chunk, usage, extra_fields: extra };
  const { usage: _hidden, ...shown } = chunk;
  return { ...shown, extra_fields: extra } as ChatChunk;
}

/** Adds what was exchanged with the provider, when the caller asked for it. */
export function addRaw(extra: ExtraFields, { raw }: Attempt): void {
  if (!raw) return;
  extra.raw_request = raw.request;
  extra.raw_response = raw.response;
}

/** The usage with its cost, as far as its price is known. */
export function withCost(usage: Usage | undefined, bill: Bill | undefined): Usage | undefined {
  return usage && bill ? { ...usage, cost: bill.cost } : usage;
}
