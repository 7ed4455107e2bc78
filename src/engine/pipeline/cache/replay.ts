import type { ChatChunk, ChatRequest, ChatResponse } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { toChunks } from "../../caching/replay.ts";
import { toDollars } from "../../metering/money.ts";
import { openCharge, settleCharge } from "../accounting/charge.ts";
import { settleCall } from "../accounting/settle.ts";
import type { CallCacheState } from "../call/cache-state.ts";
import type { Call } from "../call/call.ts";
import { extraFields } from "../delivery/whole.ts";
import { type CacheLookup, emitCache } from "./lookup.ts";
import type { Hit } from "./single-flight.ts";

/** How the answer of a hit becomes the result of a verb. */
export type ReplayAnswer<Result> = (lookup: CacheLookup, hit: Hit) => Promise<Result>;

/** The hit to admit. */
export interface Admission extends Pick<Hit, "type" | "name" | "facts" | "pair"> {
  /** Nano-dollars. */
  readonly saved: number;
}

/**
 * Admits a hit as a call that consumes nothing: it counts as a request in the key's windows, and a key that may not ask gets no
 * cached answer. False when a limit refuses it; the ordinary path says why, or finds another target. `settle` closes the charge.
 */
export async function admitHit(lookup: CacheLookup, admission: Admission, settle = settleCharge): Promise<boolean> {
  const { call, target } = lookup;
  const { type, saved } = admission;
  const { cache } = call;
  if (!cache) return false;
  cache.hit = { type, saved };
  if (!call.access) return markHit(lookup, cache, admission);
  const charge = await openCharge(call, target);
  if (charge.kind === "charge") {
    settle(call, charge, {});
    return markHit(lookup, cache, admission);
  }
  cache.hit = undefined;
  return false;
}

function markHit(lookup: CacheLookup, cache: CallCacheState, { type, name, facts, pair }: Admission): true {
  const { requested_provider, requested_model } = cache.debug;
  const named = name === undefined ? {} : { cache_id: name };
  cache.debug = { cache_hit: true, ...named, hit_type: type, requested_provider, requested_model, ...facts };
  emitCache(lookup, () => {
    const { similarity } = cache.debug;
    return {
      result: "hit",
      hit_type: type,
      ...named,
      ...(similarity === undefined ? {} : { similarity }),
      ...(pair ? { pair } : {}),
    };
  });
  return true;
}

/** The cached answer as a fresh whole one; settles the call. */
export const replayWhole: ReplayAnswer<never> = async ({ call }, hit) => {
  const { usage, ...answer } = JSON.parse(hit.answer.body) as { usage?: Usage };
  const extra = extraFields(call, hit.answer);
  await settleHit(call, hit, usage);
  return { ...answer, ...(usage ? { usage: priced(call, usage) } : {}), extra_fields: extra } as never; // seam: as it was stored
};

/** The cached answer as a stream, all of it at once; settles the call before the first chunk is read. */
export const replayStream: ReplayAnswer<AsyncIterable<ChatChunk>> = async ({ call, request }, hit) => {
  const answer = JSON.parse(hit.answer.body) as ChatResponse;
  const showsUsage = (request as ChatRequest).stream_options?.include_usage === true;
  const chunks = toChunks(showsUsage ? answer : { ...answer, usage: undefined });
  const { cache_debug, warnings, ...extra } = extraFields(call, hit.answer);
  await settleHit(call, hit, answer.usage);
  const replayed = chunks.map((chunk, position): ChatChunk => {
    const extra_fields: ExtraFields = { ...extra, latency: 0, chunk_index: position };
    if (position === 0 && warnings) extra_fields.warnings = warnings;
    if (position === chunks.length - 1) Object.assign(extra_fields, { latency: extra.latency, cache_debug });
    return { ...chunk, ...(chunk.usage ? { usage: priced(call, chunk.usage) } : {}), extra_fields };
  });
  return streamOf(replayed);
};

async function* streamOf(chunks: readonly ChatChunk[]): AsyncGenerator<ChatChunk> {
  yield* chunks;
}

/** The usage as it was, with the cost of this call: zero, or the cost of finding the answer. */
export function priced({ cost: spent }: Pick<Call, "cost">, usage: Usage): Usage {
  return { ...usage, cost: { total_cost: toDollars(spent) } };
}

async function settleHit(call: Call, { answer: { warnings } }: Hit, tokens: Usage | undefined): Promise<void> {
  if (call.cache?.hit) call.cache.hit = { ...call.cache.hit, tokens };
  const written = settleCall(call, { status: 200, reason: "ok", warnings });
  if (written) await written;
}
