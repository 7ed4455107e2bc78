import type { ChatChunk, ChatRequest, ChatResponse } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import type { Usage } from "../../api/usage.ts";
import { toChunks } from "../../cache/replay.ts";
import type { Refusal } from "../../policy/refusal.ts";
import type { MaybePromise } from "../../ports/maybe-promise.ts";
import { toDollars } from "../../usage/money.ts";
import type { CacheMark, Call } from "../call.ts";
import { extraFields } from "../deliver.ts";
import { settleCall } from "../settle.ts";
import { closeTab, openTab, type Tab } from "../tab.ts";
import type { Hit } from "./flight.ts";
import { announceCache, type Inquiry } from "./inquiry.ts";

/** How the answer of a hit becomes the result of a verb. */
export type Give<Result> = (inquiry: Inquiry, hit: Hit) => Promise<Result>;

/** What is to be admitted. */
export interface Admission extends Pick<Hit, "type" | "name" | "facts"> {
  /** Nano-dollars. */
  readonly saved: number;
}

/**
 * Admits a hit as a call that takes nothing: it counts as a request in the windows of the key, and a key that may not ask gets no kept
 * answer either. False when a limit refuses it; the ordinary way then says why, or finds another target. `close` is for its tab.
 */
export function admitHit(inquiry: Inquiry, admission: Admission, close = closeTab): MaybePromise<boolean> {
  const { call, target } = inquiry;
  const { type, saved } = admission;
  const { cache } = call;
  if (!cache) return false;
  cache.hit = { type, saved };
  if (!call.access) return markHit(inquiry, cache, admission);
  const admit = (tab: Tab | Refusal): boolean => {
    if (tab.kind === "tab") {
      close(call, tab, {});
      return markHit(inquiry, cache, admission);
    }
    cache.hit = undefined;
    return false;
  };
  const opened = openTab(call, target);
  return opened instanceof Promise ? opened.then(admit) : admit(opened);
}

function markHit(inquiry: Inquiry, cache: CacheMark, { type, name, facts }: Admission): true {
  const { requested_provider, requested_model } = cache.debug;
  const named = name === undefined ? {} : { cache_id: name };
  cache.debug = { cache_hit: true, ...named, hit_type: type, requested_provider, requested_model, ...facts };
  announceCache(inquiry, () => {
    const { similarity } = cache.debug;
    return { result: "hit", hit_type: type, ...named, ...(similarity === undefined ? {} : { similarity }) };
  });
  return true;
}

/** The kept answer as a fresh whole one; settles the call. */
export const giveWhole: Give<never> = async ({ call }, hit) => {
  const { usage, ...answer } = JSON.parse(hit.answer.body) as { usage?: Usage };
  const extra = extraFields(call, hit.answer);
  await settleHit(call, hit);
  return { ...answer, ...(usage ? { usage: priced(call, usage) } : {}), extra_fields: extra } as never; // seam: as it was kept
};

/** The kept answer as a stream, all of it at once; settles the call before the first chunk is read. */
export const giveStream: Give<AsyncIterable<ChatChunk>> = async ({ call, request }, hit) => {
  const answer = JSON.parse(hit.answer.body) as ChatResponse;
  const showsUsage = (request as ChatRequest).stream_options?.include_usage === true;
  const chunks = toChunks(showsUsage ? answer : { ...answer, usage: undefined });
  const { cache_debug, warnings, ...extra } = extraFields(call, hit.answer);
  await settleHit(call, hit);
  const told = chunks.map((chunk, position): ChatChunk => {
    const extra_fields: ExtraFields = { ...extra, latency: 0, chunk_index: position };
    if (position === 0 && warnings) extra_fields.warnings = warnings;
    if (position === chunks.length - 1) Object.assign(extra_fields, { latency: extra.latency, cache_debug });
    return { ...chunk, ...(chunk.usage ? { usage: priced(call, chunk.usage) } : {}), extra_fields };
  });
  return streamOf(told);
};

async function* streamOf(chunks: readonly ChatChunk[]): AsyncGenerator<ChatChunk> {
  yield* chunks;
}

/** The usage as it was, with what this call cost: nothing, or what was paid to find the answer. */
export function priced({ spent }: Pick<Call, "spent">, usage: Usage): Usage {
  return { ...usage, cost: { total_cost: toDollars(spent) } };
}

async function settleHit(call: Call, { answer: { warnings } }: Hit): Promise<void> {
  const written = settleCall(call, { status: 200, reason: "ok", warnings });
  if (written) await written;
}
