import type { ChatChunk } from "../../api/chat.ts";
import { GatewayError, withDetails } from "../../errors.ts";
import { fromDollars } from "../../metering/money.ts";
import { type Call, cancelCall, type SharedWork } from "../call/call.ts";
import { answeredElsewhere } from "./follower.ts";
import type { CacheLookup } from "./lookup.ts";
import { type SharedReader, type SharedStream, shareStream } from "./shared-stream.ts";
import type { Embedded } from "./similar-question.ts";
import type { LeaderFlight } from "./single-flight.ts";
import { storeAnswer, wholeOf } from "./store.ts";

/** The stream of a leader, once there is one. */
export interface LeaderState {
  stream: SharedStream | undefined;
  chunks: AsyncIterator<ChatChunk> | undefined;
}

/** Ends work without callers; a stream that no reader pulls is closed like any that a caller stops reading. */
export function abandon(call: Call, { stream, chunks }: LeaderState, error: GatewayError): void {
  if (stream && !stream.isPulling()) void chunks?.return?.();
  else cancelCall(call, error);
}

/** The inputs of a leader's stream. */
export interface LeaderStreamInput {
  readonly inFlight: LeaderFlight;
  readonly leader: LeaderState;
  /** The question as a vector, to store with the answer. */
  readonly embedded: Embedded | undefined;
}

/** Shares the leader's stream; others may join it until its end, when the whole answer is stored. */
export function leadStream(
  lookup: CacheLookup,
  { inFlight, leader: led, embedded }: LeaderStreamInput,
  delivered: AsyncIterable<ChatChunk>,
): AsyncIterable<ChatChunk> {
  const { call } = lookup;
  const chunks = delivered[Symbol.asyncIterator]();
  const stream = shareStream({
    chunks,
    leave: inFlight.leave,
    async onComplete(all) {
      const whole = wholeOf(all, call.result?.usage);
      if (whole) await storeAnswer(lookup, whole, embedded);
    },
    onOver: inFlight.close,
    tokensOf: () => call.result?.usage,
    costOf: () => fromDollars(call.result?.usage?.cost?.total_cost ?? 0),
  });
  Object.assign(led, { stream, chunks });
  const reader = stream.read();
  const shared: SharedLeaderStream = { onLeave: onStreamLeave, call, inFlight, reader };
  call.sharedWork = shared;
  inFlight.resolve({ kind: "live", stream });
  return readAll(reader);
}

/** The stream that a leader shares. */
interface SharedLeaderStream extends SharedWork {
  readonly call: Call;
  readonly inFlight: LeaderFlight;
  readonly reader: SharedReader;
}

/** The leader's caller leaves: its reader ends, and the stream goes on while others read. */
function onStreamLeave(this: SharedWork, error: GatewayError): boolean {
  const { call, inFlight, reader } = this as SharedLeaderStream; // as `leadStream` made it
  if (inFlight.countCallers() === 1) return false;
  void reader.end(withDetails(error, { model: call.modelRequested, eventId: call.id }));
  return true;
}

/** The leader's own reader as its caller's stream. */
function readAll(reader: SharedReader): AsyncIterable<ChatChunk> {
  const chunks: AsyncIterator<ChatChunk, undefined> = {
    async next() {
      const value = await reader.next();
      if (value) return { done: false, value };
      await reader.end(answeredElsewhere);
      return { done: true, value: undefined };
    },
    async return() {
      await reader.end(new GatewayError("request_cancelled", "The caller stopped reading the stream."));
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => chunks };
}
