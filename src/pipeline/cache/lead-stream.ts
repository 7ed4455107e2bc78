import type { ChatChunk } from "../../api/chat.ts";
import { GatewayError, withDetails } from "../../errors.ts";
import { fromDollars } from "../../usage/money.ts";
import { type Call, cancelCall, type SharedWork } from "../call.ts";
import type { LedFlight } from "./flight.ts";
import { over } from "./follow.ts";
import type { Inquiry } from "./inquiry.ts";
import { keep, wholeOf } from "./keep.ts";
import type { Embedded } from "./nearest.ts";
import { type SharedReader, type SharedStream, shareStream } from "./shared-stream.ts";

/** The stream of a leader, once there is one. */
export interface Led {
  stream: SharedStream | undefined;
  chunks: AsyncIterator<ChatChunk> | undefined;
}

/** Ends what nobody waits for; a stream that nobody pulls at is closed like any that a caller stops reading. */
export function abandon(call: Call, { stream, chunks }: Led, error: GatewayError): void {
  if (stream && !stream.isPulling()) void chunks?.return?.();
  else cancelCall(call, error);
}

/** What a stream is led with. */
export interface Streaming {
  readonly flight: LedFlight;
  readonly led: Led;
  /** The question as a vector, to keep with the answer. */
  readonly embedded: Embedded | undefined;
}

/** Shares the leader's stream; others may join it until its end, which is when the whole answer is kept. */
export function leadStream(
  inquiry: Inquiry,
  { flight, led, embedded }: Streaming,
  told: AsyncIterable<ChatChunk>,
): AsyncIterable<ChatChunk> {
  const { call } = inquiry;
  const chunks = told[Symbol.asyncIterator]();
  const stream = shareStream({
    chunks,
    leave: flight.leave,
    async onComplete(all) {
      const whole = wholeOf(all, call.ending?.usage);
      if (whole) await keep(inquiry, whole, embedded);
    },
    onOver: flight.close,
    costOf: () => fromDollars(call.ending?.usage?.cost?.total_cost ?? 0),
  });
  Object.assign(led, { stream, chunks });
  const reader = stream.read();
  const shared: LedStream = { leave: leaveStream, call, flight, reader };
  call.shared = shared;
  flight.land({ kind: "live", stream });
  return readAll(reader);
}

/** What a leader streams for others, too. */
interface LedStream extends SharedWork {
  readonly call: Call;
  readonly flight: LedFlight;
  readonly reader: SharedReader;
}

/** The leader's caller goes: its reader ends, and the stream goes on while others read. */
function leaveStream(this: SharedWork, error: GatewayError): boolean {
  const { call, flight, reader } = this as LedStream; // as `leadStream` made it
  if (flight.countRiders() === 1) return false;
  void reader.end(withDetails(error, { model: call.modelRequested, eventId: call.id }));
  return true;
}

/** The leader's own reader as the stream that its caller is given. */
function readAll(reader: SharedReader): AsyncIterable<ChatChunk> {
  const chunks: AsyncIterator<ChatChunk, undefined> = {
    async next() {
      const value = await reader.next();
      if (value) return { done: false, value };
      await reader.end(over);
      return { done: true, value: undefined };
    },
    async return() {
      await reader.end(new GatewayError("request_cancelled", "The caller stopped reading the stream."));
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => chunks };
}
