import type { ChatChunk } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { GatewayError } from "../../errors.ts";
import type { Bill } from "../../metering/cost.ts";
import { nonContentText } from "../../metering/generated-text.ts";
import type { Clock } from "../../ports/clock.ts";
import { reportedUsage } from "../accounting/count-tokens.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { type Call, since } from "../call/call.ts";
import { toPublicChunk } from "./public-form.ts";

/** The state of a stream's delivery between chunks. */
export interface StreamState {
  readonly call: Call;
  readonly clock: Clock;
  readonly showsUsage: boolean;
  /** The source of the chunks; another one after a recovery. */
  attempt: Attempt;
  /** What all chunks of that attempt say of it. */
  origin: ChunkOrigin;
  readonly openChoices: Set<number>;
  readonly finishedChoices: Set<number>;
  /** The one that was added last, to which most chunks belong. */
  lastOpen: number | undefined;
  /** Something other than text was delivered, which no other target can continue. */
  hasOtherThanText: boolean;
  index: number;
  lastAt: number;
  reportedWarnings: number;
  /** All text of the answer, for counting and resuming. */
  text: string;
  /** All else that was generated, for counting. */
  otherText: string;
  /** Characters of both that were billed to a target that broke off. */
  billedLength: number;
  usage: Usage | undefined;
  bill: Bill | undefined;
  serviceTier: string | undefined;
  /** The model that answers, as the vendor names it. */
  servedModel: string | undefined;
}

type ChunkOrigin = Pick<ExtraFields, "request_type" | "provider" | "model_requested" | "model_deployment">;

function originOf(call: Call, { target, model }: Attempt): ChunkOrigin {
  return {
    request_type: call.requestType,
    provider: target.provider,
    model_requested: call.modelRequested,
    model_deployment: model,
  };
}

/** Attributes the chunks to another attempt from now on. */
export function beginNextAttempt(state: StreamState, attempt: Attempt): void {
  state.attempt = attempt;
  state.origin = originOf(state.call, attempt);
  state.usage = undefined;
  state.serviceTier = undefined;
  state.servedModel = undefined;
  state.reportedWarnings = 0;
}

/** The state at the beginning of a stream. */
export function openStreamState(call: Call, attempt: Attempt, showsUsage: boolean): StreamState {
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
    otherText: "",
    billedLength: 0,
    bill: undefined,
    usage: undefined,
    serviceTier: undefined,
    servedModel: undefined,
  };
}

/** Choices that an answer may have; no vendor gives more than 128, and each is remembered to the end. */
const mostChoices = 1_024;

/** Records what a chunk holds, before its delivery. Throws `upstream_invalid_response` for an answer with choices past all bounds. */
export function observeChunk(state: StreamState, chunk: ChatChunk): void {
  if (state.openChoices.size + state.finishedChoices.size > mostChoices) throw tooManyChoices(state);
  for (const { index, delta, finish_reason } of chunk.choices) {
    if (finish_reason !== null) {
      state.openChoices.delete(index);
      state.lastOpen = undefined;
      state.finishedChoices.add(index);
    } else if (index !== state.lastOpen && !state.finishedChoices.has(index)) {
      state.openChoices.add(index);
      state.lastOpen = index;
    }
    if (delta.content) state.text += delta.content;
    if (index > 0) state.hasOtherThanText = true;
    if (delta.reasoning || delta.refusal || delta.audio || delta.tool_calls) observeOther(state, delta);
  }
  if (chunk.usage) state.usage = reportedUsage(state.attempt, chunk.usage) ?? state.usage;
  state.servedModel ||= chunk.model;
  if (typeof chunk.service_tier === "string") state.serviceTier = chunk.service_tier;
}

function tooManyChoices({ attempt }: StreamState): GatewayError {
  const message = `The stream of ${attempt.target.name} has more than ${mostChoices} choices.`;
  return new GatewayError("upstream_invalid_response", message);
}

/** Parts that no other target can continue; they are counted all the same. */
function observeOther(state: StreamState, delta: ChatChunk["choices"][number]["delta"]): void {
  if (delta.refusal || delta.audio || delta.tool_calls) state.hasOtherThanText = true;
  state.otherText += nonContentText(delta);
}

/** True when a choice has finished and none is open: a stream that ends now is not cut off. */
export function isComplete({ finishedChoices, openChoices }: StreamState): boolean {
  return finishedChoices.size > 0 && openChoices.size === 0;
}

/** True when the chunk is the last that the caller sees. */
function isLast(state: StreamState, chunk: ChatChunk): boolean {
  return state.showsUsage ? chunk.usage !== undefined : isComplete(state);
}

/** The chunk as the caller sees it. */
export function annotateChunk(state: StreamState, chunk: ChatChunk, usage: Usage | undefined): ChatChunk {
  const { call, attempt, origin } = state;
  const now = state.clock.now();
  const ends = isLast(state, chunk);
  const extra: ExtraFields = {
    request_type: origin.request_type,
    provider: origin.provider,
    model_requested: origin.model_requested,
    model_deployment: origin.model_deployment,
    latency: since(ends ? call.startedAt : state.lastAt, now),
    chunk_index: state.index++,
  };
  state.lastAt = now;
  if (ends) {
    addRaw(extra, attempt);
    if (call.cache) extra.cache_debug = call.cache.debug;
  }
  if (attempt.warnings.length > state.reportedWarnings) {
    state.reportedWarnings = attempt.warnings.length;
    extra.warnings = [...attempt.warnings];
  }
  const written = toPublicChunk(chunk, state.text.length);
  if (!chunk.usage) return { ...written, extra_fields: extra };
  if (state.showsUsage && usage) return { ...written, usage, extra_fields: extra };
  const { usage: _hidden, ...shown } = written;
  return { ...shown, extra_fields: extra } as ChatChunk;
}

/** Adds the raw exchange with the provider, when the caller asked for it. */
export function addRaw(extra: ExtraFields, { raw }: Attempt): void {
  if (!raw) return;
  extra.raw_request = raw.request;
  extra.raw_response = raw.response;
}

/** The usage with its cost, as far as its price is known. */
export function withCost(usage: Usage | undefined, bill: Bill | undefined): Usage | undefined {
  return usage && bill ? { ...usage, cost: bill.cost } : usage;
}
