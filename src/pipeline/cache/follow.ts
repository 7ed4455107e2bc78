import type { ChatChunk } from "../../api/chat.ts";
import type { ExtraFields } from "../../api/common.ts";
import { GatewayError, isGatewayError, toGatewayError, withDetails } from "../../errors.ts";
import { type Call, since } from "../call.ts";
import { dismiss, enlist } from "../interrupt.ts";
import type { Interrupt } from "../ports.ts";
import { settleCall, settleFailure } from "../settle.ts";
import type { Flight, Landing } from "./flight.ts";
import { priced } from "./give.ts";
import type { SharedReader, SharedStream } from "./shared-stream.ts";

/** What a flight brought to one of those who wait for it. */
export type Brought = Exclude<Landing, { kind: "live" }> | ({ readonly kind: "live" } & Boarded);

/** A stream and a reader of it. */
export interface Boarded {
  readonly stream: SharedStream;
  readonly reader: SharedReader;
}

/**
 * Waits for a flight of somebody else, no longer than the call lives. Of a stream a reader comes back, which is on board until it is
 * ended; whoever gets anything else has left.
 */
export function ride(call: Call, flight: Flight): Promise<Brought> {
  const { clock } = call.ports;
  if (call.cancelled) return Promise.reject(call.cancelled);
  flight.board();
  return new Promise((resolve, reject) => {
    const finish = () => {
      cancelTimer();
      dismiss(call, interrupt);
    };
    const interrupt: Interrupt = (error) => {
      finish();
      flight.leave(error);
      reject(error);
    };
    const late = () => interrupt(new GatewayError("upstream_timeout", "The answer that was waited for took too long."));
    const cancelTimer = clock.after(call.deadline - clock.now(), late);
    enlist(call, interrupt);
    flight.landing.then((landing) => {
      if (!call.interrupts.includes(interrupt)) return; // left meanwhile
      finish();
      if (landing.kind === "live") return resolve({ ...landing, reader: landing.stream.read() });
      flight.leave(over);
      return resolve(landing);
    });
  });
}

/** Ends what is over already: nobody hears of it. */
export const over = new GatewayError("request_cancelled", "The answer is there.");

/**
 * The stream that somebody else asked for, as one who asks the same reads it: told as a hit, at no cost. It settles exactly once,
 * whatever ends it, and ends for this reader alone.
 */
export async function followStream(call: Call, { reader, stream }: Boarded): Promise<AsyncIterable<ChatChunk>> {
  const chunks = relayShared(call, { reader, stream });
  await chunks.next(); // enters the generator's `try`, so that even an unread stream is closed by `return()`
  return { [Symbol.asyncIterator]: () => chunks as AsyncGenerator<ChatChunk> };
}

async function* relayShared(
  call: Call,
  { reader, stream }: Boarded,
): AsyncGenerator<ChatChunk | undefined, void, undefined> {
  const stop = watchRider(call, reader);
  let firstContentAt: number | undefined;
  try {
    yield undefined;
    for (;;) {
      const chunk = await reader.next();
      if (!chunk) break;
      firstContentAt ??= call.ports.clock.now();
      yield retell(call, chunk);
    }
    stop();
    await reader.end(over);
    if (call.cache?.hit) call.cache.hit = { ...call.cache.hit, saved: stream.cost() };
    await settleCall(call, { status: 200, reason: "ok", firstContentAt });
  } catch (thrown) {
    throw await failRider(call, thrown);
  } finally {
    stop();
    const error = new GatewayError("request_cancelled", "The caller stopped reading the stream.");
    await reader.end(error);
    if (!call.isSettled) await settleFailure(call, error);
  }
}

/** Ends the reader when the call is cancelled or its time is over, also while nobody reads. */
function watchRider(call: Call, reader: SharedReader): () => void {
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
    dismiss(call, interrupt);
  };
  enlist(call, interrupt);
  if (call.cancelled) interrupt(call.cancelled); // between boarding and here nobody would have told
  return stop;
}

/** The failure of the shared stream as this call's own. */
function failRider(call: Call, thrown: unknown): Promise<GatewayError> {
  const error = isGatewayError(thrown) ? thrown : toGatewayError(thrown);
  return settleFailure(call, withDetails(error, { eventId: call.id }));
}

/** A chunk of another call as this call tells it. */
function retell(call: Call, { usage, extra_fields, ...chunk }: ChatChunk): ChatChunk {
  const extra: Partial<ExtraFields> = extra_fields ?? {};
  const { cache_debug, raw_request: _request, raw_response: _response, ...rest } = extra;
  const latency = cache_debug ? since(call.startedAt, call.ports.clock.now()) : rest.latency;
  const told = {
    ...rest,
    request_type: call.requestType,
    model_requested: call.modelRequested,
    ...(latency === undefined ? {} : { latency }),
    ...(cache_debug && call.cache ? { cache_debug: call.cache.debug } : {}),
  };
  return { ...chunk, ...(usage ? { usage: priced(call, usage) } : {}), extra_fields: told } as ChatChunk; // the rest is unchanged
}
