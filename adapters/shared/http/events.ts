import { GatewayError } from "../../../src/errors.ts";
import type { RawExchange } from "../../../src/ports.ts";
import { type HttpCall, isEventStream, notEvents, type Vendor } from "./answer.ts";
import { hostOf } from "./failure.ts";
import { type SseEvent, type SseReader, sseReader } from "./sse.ts";
import type { Target } from "./target.ts";
import type { WireRequest } from "./transport.ts";
import type { BatchSource } from "./unbatch.ts";

/** The events of one answer, all of one socket read at a time, for one reader that waits for each. */
export interface EventBatches extends BatchSource<readonly SseEvent[]> {
  [Symbol.asyncIterator](): EventBatches;
}

type Step = IteratorResult<readonly SseEvent[], void>;

/** Asks when the first batch is wanted. */
export function eventBatches(vendor: Vendor, wire: WireRequest, call: HttpCall): EventBatches {
  return new StreamedEvents(vendor, wire, call);
}

/** Written by hand: a generator costs every batch three promises. */
class StreamedEvents implements EventBatches {
  readonly #vendor: Vendor;
  readonly #wire: WireRequest;
  readonly #call: HttpCall;
  readonly #reader: SseReader;
  #remember: ((batch: readonly SseEvent[]) => void) | undefined;
  #pieces: AsyncIterator<Uint8Array> | undefined;
  #isOver = false;

  constructor(vendor: Vendor, wire: WireRequest, call: HttpCall) {
    this.#vendor = vendor;
    this.#wire = wire;
    this.#call = call;
    this.#reader = sseReader(vendor.eventLimit);
  }

  next(): Promise<Step> {
    if (this.#isOver) return Promise.resolve(ended);
    if (this.#pieces === undefined) return this.#open();
    return this.#pieces.next().then(this.#onPiece, this.#onBreak);
  }

  async return(): Promise<Step> {
    if (!this.#isOver) {
      this.#isOver = true;
      await this.#pieces?.return?.();
    }
    return ended;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #open(): Promise<Step> {
    const stream = await this.#vendor.target.transport.stream(this.#wire);
    const pieces = stream.body[Symbol.asyncIterator]();
    if (this.#isOver) {
      await pieces.return?.();
      return ended;
    }
    if (!isEventStream(stream)) {
      this.#isOver = true;
      throw await notEvents(this.#vendor, { url: this.#wire.url, answer: stream, call: this.#call });
    }
    if (this.#call.raw) this.#remember = rememberIn(this.#call.raw, this.#vendor.target);
    this.#pieces = pieces;
    return this.next();
  }

  readonly #onPiece = (step: IteratorResult<Uint8Array>): Step | Promise<Step> => {
    if (step.done) this.#isOver = true;
    const batch = this.#read(step);
    if (batch.length === 0) return this.next();
    this.#remember?.(batch);
    if (!this.#isOver && batch.some(this.#vendor.isLastEvent)) {
      this.#isOver = true;
      letEnd(this.#pieces as AsyncIterator<Uint8Array>);
    }
    return { done: false, value: batch };
  };

  readonly #onBreak = async (thrown: unknown): Promise<Step> => {
    await this.return();
    throw thrown;
  };

  #read(step: IteratorResult<Uint8Array>): readonly SseEvent[] {
    try {
      return step.done ? this.#reader.end() : this.#reader.feed(step.value);
    } catch (thrown) {
      void this.return();
      const message = `An event in the stream of ${hostOf(this.#wire.url)} is too long.`;
      throw new GatewayError("upstream_invalid_response", message, { cause: thrown });
    }
  }
}

const ended: Step = { done: true, value: undefined };

/** Milliseconds that an answer which has said its last word gets to end, so that its socket can be used again. */
const farewell = 1_000;

/** Reads what is left of a complete answer, which nobody waits for. */
function letEnd(pieces: AsyncIterator<Uint8Array>): void {
  const giveUp = () => void pieces.return?.();
  const timer = setTimeout(giveUp, farewell);
  const drain = async () => {
    while (!(await pieces.next()).done);
  };
  drain()
    .catch(() => {}) // the answer was complete before
    .finally(() => clearTimeout(timer));
}

function rememberIn(raw: RawExchange, target: Target): (batch: readonly SseEvent[]) => void {
  const seen: string[] = [];
  raw.response = seen;
  return (batch) => {
    for (const event of batch) seen.push(target.redact(event.data));
  };
}
