import type { ChatChunk } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import { GatewayError, isGatewayError, toGatewayError, withDetails } from "../../errors.ts";
import { settleCall, settleFailure } from "../accounting/settle.ts";
import { type Call, since } from "../call/call.ts";
import { offCancel, onCancel } from "../runtime/cancellation.ts";
import type { Interrupt } from "../runtime/ports.ts";
import { priced } from "./replay.ts";
import type { SharedReader, SharedStream } from "./shared-stream.ts";
import type { FlightOutcome, InFlight } from "./single-flight.ts";

/** What a follower gets from a flight. */
export type FollowResult = Exclude<FlightOutcome, { kind: "live" }> | ({ readonly kind: "live" } & FollowedStream);

/** A stream and a reader of it. */
export interface FollowedStream {
  readonly stream: SharedStream;
  readonly reader: SharedReader;
}

/**
 * Waits for another caller's flight, no longer than the call lives. A stream yields a reader, which stays in the flight until it
 * ends; on any other outcome the caller has left the flight.
 */
export function joinFlight(call: Call, inFlight: InFlight): Promise<FollowResult> {
  const { clock } = call.ports;
  if (call.cancelled) return Promise.reject(call.cancelled);
  inFlight.join();
  return new Promise((resolve, reject) => {
    const finish = () => {
      cancelTimer();
      offCancel(call, interrupt);
    };
    const interrupt: Interrupt = (error) => {
      finish();
      inFlight.leave(error);
      reject(error);
    };
    const late = () => interrupt(new GatewayError("upstream_timeout", "The answer that was waited for took too long."));
    const cancelTimer = clock.after(call.deadline - clock.now(), late);
    onCancel(call, interrupt);
    inFlight.outcome.then((outcome) => {
      if (!call.interrupts.includes(interrupt)) return; // left meanwhile
      finish();
      if (outcome.kind === "live") return resolve({ ...outcome, reader: outcome.stream.read() });
      inFlight.leave(answeredElsewhere);
      return resolve(outcome);
    });
  });
}

/** Ends what is over already; no caller sees it. */
export const answeredElsewhere = new GatewayError("request_cancelled", "The answer is there.");

/**
 * The stream that another caller asked for, as a follower reads it: reported as a hit, at no cost. It settles exactly once,
 * whatever ends it, and ends for this reader alone.
 */
export async function followStream(call: Call, { reader, stream }: FollowedStream): Promise<AsyncIterable<ChatChunk>> {
  const chunks = deliverShared(call, { reader, stream });
  await chunks.next(); // enters the generator's `try`, so that even an unread stream is closed by `return()`
  return { [Symbol.asyncIterator]: () => chunks as AsyncGenerator<ChatChunk> };
}

async function* deliverShared(
  call: Call,
  { reader, stream }: FollowedStream,
): AsyncGenerator<ChatChunk | undefined, void, undefined> {
  const stop = endWithCall(call, reader);
  let firstContentAt: number | undefined;
  try {
    yield undefined;
    for (;;) {
      const chunk = await reader.next();
      if (!chunk) break;
      firstContentAt ??= call.ports.clock.now();
      yield annotateShared(call, chunk);
    }
    stop();
    await reader.end(answeredElsewhere);
    if (call.cache?.hit) call.cache.hit = { ...call.cache.hit, saved: stream.cost(), tokens: stream.tokens() };
    await settleCall(call, { status: 200, reason: "ok", firstContentAt });
  } catch (thrown) {
    throw await failFollower(call, thrown);
  } finally {
    stop();
    const error = new GatewayError("request_cancelled", "The caller stopped reading the stream.");
    await reader.end(error);
    if (!call.isSettled) await settleFailure(call, error);
  }
}

/** Ends the reader when the call is cancelled or its time is over, even while no chunk is being read. */
function endWithCall(call: Call, reader: SharedReader): () => void {
  const { clock } = call.ports;
  const interrupt: Interrupt = (error) => {
    stop();
    void reader.end(error);
    void settleFailure(call, error);
  };
  const late = () => interrupt(new GatewayError("upstream_timeout", "The request took longer than it may."));
  const cancelTimer = clock.after(call.deadline - clock.now(), late);
  const stop = () => {
    cancelTimer();
    offCancel(call, interrupt);
  };
  onCancel(call, interrupt);
  if (call.cancelled) interrupt(call.cancelled); // a cancellation between joining and here would go unnoticed
  return stop;
}

/** The failure of the shared stream as this call's own. */
function failFollower(call: Call, thrown: unknown): Promise<GatewayError> {
  const error = isGatewayError(thrown) ? thrown : toGatewayError(thrown);
  return settleFailure(call, withDetails(error, { eventId: call.id }));
}

/** A chunk of another call, annotated for this call. */
function annotateShared(call: Call, { usage, extra_fields, ...chunk }: ChatChunk): ChatChunk {
  const extra: Partial<ExtraFields> = extra_fields ?? {};
  const { cache_debug, raw_request: _request, raw_response: _response, ...rest } = extra;
  const latency = cache_debug ? since(call.startedAt, call.ports.clock.now()) : rest.latency;
  const extraFields = {
    ...rest,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    ...(latency === undefined ? {} : { latency }),
    ...(cache_debug && call.cache ? { cache_debug: call.cache.debug } : {}),
  };
  return { ...chunk, ...(usage ? { usage: priced(call, usage) } : {}), extra_fields: extraFields } as ChatChunk; // the rest is unchanged
}
