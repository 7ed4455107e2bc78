import type { ChatChunk, ChatRequest } from "../../api/chat.ts";
import type { RequestType } from "../../api/common.ts";
import { isRefusal } from "../../policy/refusal.ts";
import { settleEarly } from "../accounting/charge.ts";
import type { CallHandler } from "../call/routed-call.ts";
import { answeredElsewhere, type FollowedStream, followStream, joinFlight } from "./follower.ts";
import { type LeaderInput, leadRequest } from "./leader.ts";
import { type CacheLookup, emitCache, mayRead, openLookup } from "./lookup.ts";
import { admitHit } from "./replay.ts";
import { askOn, askUncached, type CachedRun, cachedFor, replayOrAsk } from "./result.ts";
import type { FlightOutcome, InFlight, InFlightMap } from "./single-flight.ts";
import { findCached } from "./texts/cached-texts.ts";

/** Leaders that may fail before their followers give up. */
const mostLeaders = 2;

/**
 * Adds the answer cache to a verb: answers from the cache, or shares the answer of a caller who is asking the same, or asks and
 * stores the answer. When the leader fails, the first of its followers asks in its place, once; when that fails too, all of them
 * fail with it, each with a ledger entry of its own. A leader that the limits of another key refuse does not count as a failure.
 */
export function withCache<Request extends object, Result>(requestType: RequestType) {
  const verb = cachedFor<Result>(requestType);
  const inFlight: InFlightMap = new Map();
  return (next: CallHandler<Request, Result>): CallHandler<Request, Result> =>
    (routed) => {
      const { call } = routed;
      if (!call.ports.cache && !call.options.cache) return next(routed);
      const lookup = openLookup(routed, verb.kind);
      if (!lookup) return next(routed);
      const run: CachedRun<Result> = { verb, ask: askUncached(lookup, routed, next) };
      return answer(lookup, run, inFlight);
    };
}

async function answer<Result>(lookup: CacheLookup, run: CachedRun<Result>, inFlight: InFlightMap): Promise<Result> {
  if (!mayRead(lookup)) return leadRequest(lookup, run, { inFlight: new Map(), key: "", same: undefined });
  const same = findCached(lookup);
  if (same && !(same instanceof Promise)) return replayOrAsk(lookup, run, same);
  return joinOrLead(lookup, run, { inFlight, key: inFlightKey(lookup), same });
}

async function joinOrLead<Result>(lookup: CacheLookup, run: CachedRun<Result>, lead: LeaderInput): Promise<Result> {
  let failures = 0;
  for (;;) {
    const inFlight = lead.inFlight.get(lead.key)?.inFlight;
    if (!inFlight || inFlight.hasFailed()) return leadRequest(lookup, run, lead);
    const result = await join(lookup, run, inFlight);
    if (result.kind === "result") return result.value;
    if (!isOfAnotherKey(lookup, result)) failures++;
    if (failures === mostLeaders) throw result.error;
  }
}

/** A refusal of the leader's key, which need not hold for this caller's: not a failed leader. */
function isOfAnotherKey({ call }: CacheLookup, { error, keyId }: Extract<FlightOutcome, { kind: "failed" }>): boolean {
  return keyId !== call.access?.keyId && isRefusal(error);
}

/** Waits for what another caller asks; gives its answer, or its failure. */
async function join<Result>(lookup: CacheLookup, run: CachedRun<Result>, inFlight: InFlight) {
  const joined = await joinFlight(lookup.call, inFlight);
  if (joined.kind === "failed") return joined;
  emitCache(lookup, () => ({ result: "joined" }));
  const value =
    joined.kind === "given" ? await replayOrAsk(lookup, run, joined.hit) : await follow(lookup, run, joined);
  return { kind: "result" as const, value };
}

async function follow<Result>(lookup: CacheLookup, run: CachedRun<Result>, followed: FollowedStream): Promise<Result> {
  const isAdmitted = await admitHit(lookup, { type: "direct", name: undefined, saved: 0 }, settleEarly);
  if (isAdmitted) return (await followStream(lookup.call, followed)) as Result & AsyncIterable<ChatChunk>; // a stream was asked
  await followed.reader.end(answeredElsewhere);
  return askOn(lookup, run);
}

/** What must be equal for two callers to be given the same answer, while it is asked for. */
function inFlightKey({ call, location, targets, settings, request, cache }: CacheLookup): string {
  const { include_usage = false } = (request as Partial<ChatRequest>).stream_options ?? {};
  const names = targets.map(({ name }) => name);
  const threshold = cache.semantic ? settings.threshold : 0;
  return JSON.stringify([call.requestType, location.scope, location.id, names, include_usage, threshold, settings.ttl]);
}
