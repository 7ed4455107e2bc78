import { type GatewayError, withDetails } from "../../errors.ts";
import { settleFailure } from "../accounting/settle.ts";
import type { Call, SharedWork } from "../call/call.ts";
import { abandon, type LeaderState, leadStream } from "./leader-stream.ts";
import { type CacheLookup, emitCache, mayRead } from "./lookup.ts";
import { askOn, type CachedRun, replayOrAsk } from "./result.ts";
import { type Embedded, embedChat, findSimilar } from "./similar-question.ts";
import { type Hit, type InFlightMap, type LeaderFlight, openInFlight } from "./single-flight.ts";
import { type DeliveredAnswer, storeAnswer } from "./store.ts";
import { storeTexts } from "./texts/store-texts.ts";

/** Where other callers find a shared question. */
export interface LeaderInput {
  readonly inFlight: InFlightMap;
  readonly key: string;
  /** The search for a cached answer, where it takes time. */
  readonly same: Promise<Hit | undefined> | undefined;
}

/**
 * Sends the request for all who ask the same meanwhile. When this caller leaves while others wait, the work goes on, billed to
 * this caller; it ends only when the last of them leaves.
 */
export function leadRequest<Result>(
  lookup: CacheLookup,
  run: CachedRun<Result>,
  { inFlight: map, key, same }: LeaderInput,
): Promise<Result> {
  const { call } = lookup;
  const leader: LeaderState = { stream: undefined, chunks: undefined };
  const inFlight = openInFlight({
    inFlight: map,
    key,
    abandon: (error) => abandon(call, leader, error),
    hasFailed: () => (call.result?.status ?? 200) >= 400,
  });
  const work = perform(lookup, run, { inFlight, same, leader });
  return new Promise((resolve, reject) => {
    const shared: SharedLeaderWork = { onLeave: onLeaderLeave, call, inFlight, reject };
    call.sharedWork = shared;
    work.then(resolve, reject);
  });
}

/** The work that a leader shares. */
interface SharedLeaderWork extends SharedWork {
  readonly call: Call;
  readonly inFlight: LeaderFlight;
  /** Rejects for the leader's own caller. */
  readonly reject: (error: GatewayError) => void;
}

/** The leader's caller leaves: it gets the error, and the work goes on while others wait. */
function onLeaderLeave(this: SharedWork, error: GatewayError): boolean {
  const { call, inFlight, reject } = this as SharedLeaderWork; // as `lead` made it
  if (inFlight.countCallers() === 1) return false;
  call.leftBecause = withDetails(error, { model: call.modelRequested, eventId: call.id });
  inFlight.leave(error);
  reject(call.leftBecause);
  return true;
}

interface LeaderWork {
  readonly inFlight: LeaderFlight;
  readonly same: Promise<Hit | undefined> | undefined;
  readonly leader: LeaderState;
}

async function perform<Result>(
  lookup: CacheLookup,
  run: CachedRun<Result>,
  { inFlight, same, leader }: LeaderWork,
): Promise<Result> {
  try {
    const { hit: found, embedded } = await search(lookup, same);
    if (found) {
      publish(inFlight, { kind: "given", hit: found });
      return await replayOrAsk(lookup, run, found);
    }
    const result = await askOn(lookup, run);
    if (run.verb.isStream) return leadStream(lookup, { inFlight, leader, embedded }, result as never) as Result; // by the verb
    const hit = lookup.texts
      ? await storeTexts(lookup, lookup.texts, result as DeliveredAnswer)
      : await storeAnswer(lookup, result as DeliveredAnswer, embedded);
    publish(inFlight, { kind: "given", hit });
    return result;
  } catch (thrown) {
    const error = await settleFailure(lookup.call, thrown);
    publish(inFlight, { kind: "failed", error, keyId: lookup.call.access?.keyId });
    throw error;
  }
}

/** Resolves those who wait; later callers find the cached answer. */
function publish(inFlight: LeaderFlight, outcome: Parameters<LeaderFlight["resolve"]>[0]): void {
  inFlight.close();
  inFlight.resolve(outcome);
}

/** The hit for a question, and the question as a vector, where it has one. */
export interface SearchResultOfCache {
  readonly hit?: Hit | undefined;
  readonly embedded?: Embedded | undefined;
}

/** Looks for the answer to the same question, where that takes time, then for that of a similar one. */
async function search(lookup: CacheLookup, same: Promise<Hit | undefined> | undefined): Promise<SearchResultOfCache> {
  const hit = await same;
  if (hit) return { hit };
  const embedded = await embedChat(lookup);
  if (!mayRead(lookup)) return { embedded };
  const similar = embedded && (await findSimilar(lookup, embedded));
  if (!similar) emitCache(lookup, () => ({ result: "miss" }));
  return { hit: similar, embedded };
}
