import { GatewayError } from "../../../../src/engine/errors.ts";
import type { RawExchange } from "../../../../src/engine/ports/provider.ts";
import type { WireRequest, WireStream } from "../../../../src/engine/ports/transport.ts";
import { isBeyondBounds } from "../../../../src/engine/runtime/json/json-scan.ts";
import {
  deliverTo,
  ended,
  MappedPullIterator,
  type PullIterator,
  pullIteratorOf,
  type Step,
  type StepSink,
} from "../../../../src/engine/runtime/pull-iterator.ts";
import type { Redact } from "../../../../src/engine/runtime/redaction.ts";
import { drainInBackground } from "../drain.ts";
import { tooLarge } from "../failure.ts";
import { type SseEvent, type SseReader, sseReader } from "../sse.ts";
import { type HttpCall, isEventStream, redactorOf, statedCost, type Vendor, wholeAsEvent } from "./answer.ts";
import { type FormedAnswer, sniff } from "./answer-form.ts";

/** The events of one answer, all of one socket read at a time, for one reader that waits for each. */
export interface EventBatches extends PullIterator<EventBatch> {
  /** The dollars that the head states as the cost of the answer; zero is none, since the head is sent before the answer is known. */
  readonly cost: number | undefined;
  return(): Promise<Step<EventBatch>>;
  [Symbol.asyncIterator](): EventBatches;
}

type EventBatch = readonly SseEvent[];

/** Asks when the first batch is wanted. */
export function eventBatches(vendor: Vendor, wire: WireRequest, call: HttpCall): EventBatches {
  return new StreamedEvents(vendor, wire, call);
}

class StreamedEvents extends MappedPullIterator<Uint8Array, EventBatch> implements EventBatches {
  readonly #vendor: Vendor;
  /** Until it is sent: its body may be long, and the answer long in coming. */
  #wire: WireRequest | undefined;
  readonly #call: HttpCall;
  readonly #reader: SseReader;
  #remember: ((batch: EventBatch) => void) | undefined;
  #redact: Redact;
  #pieces: PullIterator<Uint8Array> | undefined;
  #isOver = false;
  cost: number | undefined;
  /** A whole answer that came in place of a stream. */
  #whole: SseEvent | undefined;

  constructor(vendor: Vendor, wire: WireRequest, call: HttpCall) {
    super();
    this.#vendor = vendor;
    this.#wire = wire;
    this.#call = call;
    this.#redact = vendor.target.redact;
    this.#reader = boundedEvents(vendor, wire.url);
  }

  override poll(waiter: StepSink<EventBatch>): Step<EventBatch> | undefined {
    const wire = this.#wire;
    if (!wire || this.#isOver) return super.poll(waiter);
    this.#wire = undefined;
    this.#open(wire).then(
      () => deliverTo(waiter, () => super.poll(waiter)),
      (thrown: unknown) => {
        this.#isOver = true;
        waiter.fail(thrown);
      },
    );
    return undefined;
  }

  async return(): Promise<Step<EventBatch>> {
    if (!this.#isOver) {
      this.#isOver = true;
      await this.#pieces?.return?.();
    }
    return ended;
  }

  async #open(wire: WireRequest): Promise<void> {
    const stream = await this.#vendor.target.transport.stream(wire);
    if (this.#isOver) {
      await stream.body[Symbol.asyncIterator]().return?.();
      return;
    }
    this.#call.alive?.();
    this.cost = statedCost(stream.headers, this.#vendor) || undefined;
    const { form, body } = isEventStream(stream) ? { form: "events", body: stream.body } : await formed(stream);
    if (this.#isOver) {
      await body[Symbol.asyncIterator]().return?.();
      return;
    }
    if (form !== "events") {
      this.#isOver = true;
      this.#whole = await wholeAsEvent(this.#vendor, { ...stream, body }, this.#call);
      return;
    }
    this.#redact = redactorOf(this.#vendor, stream);
    if (this.#call.raw) this.#remember = rememberIn(this.#call.raw);
    this.#pieces = pullIteratorOf(body);
  }

  protected context(): PullIterator<Uint8Array> {
    return this.#pieces as PullIterator<Uint8Array>;
  }

  protected ready(): Step<EventBatch> | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    if (whole) return { done: false, value: [whole] };
    return this.#isOver ? ended : undefined;
  }

  protected read(step: Step<Uint8Array>): Step<EventBatch> | undefined {
    if (step.done) this.#isOver = true;
    const batch = this.#parse(step);
    if (batch.length > 0 || this.#reader.hadComment) this.#call.alive?.();
    if (batch.length === 0) return this.ready();
    this.#remember?.(batch);
    if (!this.#isOver && batch.some(this.#vendor.isLastEvent)) {
      this.#isOver = true;
      drainInBackground(this.#pieces as PullIterator<Uint8Array>);
    }
    return { done: false, value: batch };
  }

  protected failed(thrown: unknown): never {
    this.#leave();
    throw thrown;
  }

  #leave(): void {
    this.return().catch(() => {}); // the waiting reader gets the reason; the source only has to end
  }

  #parse(step: Step<Uint8Array>): EventBatch {
    try {
      return withoutSecrets(step.done ? this.#reader.end() : this.#reader.feed(step.value), this.#redact);
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }
}

/** A refusal is what its status says it is; of another answer its beginning shows it. */
async function formed(stream: WireStream): Promise<FormedAnswer> {
  return stream.status >= 300 ? { form: "other", body: stream.body } : sniff(stream);
}

/** The events with their secrets hidden; an event is whole, wherever the socket has cut it. */
function withoutSecrets(batch: EventBatch, redact: Redact): EventBatch {
  let clean: SseEvent[] | undefined;
  for (let n = 0; n < batch.length; n++) {
    const event = batch[n] as SseEvent;
    const shown = redact(event.data);
    if (shown === event.data) continue;
    clean ??= [...batch];
    clean[n] = { ...event, data: shown };
  }
  return clean ?? batch;
}

function rememberIn(raw: RawExchange): (batch: EventBatch) => void {
  const seen: string[] = [];
  raw.response = seen;
  return (batch) => {
    for (const event of batch) seen.push(event.data);
  };
}

/**
 * Reads the events of one stream at `url`. Throws `upstream_invalid_response` for a stream of too many bytes, and for an event that is too
 * long or whose JSON is nested too deep: a provider that goes on for ever would keep a caller, a socket and what is counted of the answer.
 */
function boundedEvents({ provider, eventLimit, streamLimit }: Vendor, url: string): SseReader {
  const reader = sseReader(eventLimit);
  /** Bytes so far, decompressed. */
  let size = 0;

  function checked(read: () => readonly SseEvent[]): readonly SseEvent[] {
    let events: readonly SseEvent[];
    try {
      events = read();
    } catch (cause) {
      throw new GatewayError("upstream_invalid_response", `An event in the stream of ${provider} is too long.`, {
        cause,
      });
    }
    if (!events.some(({ data }) => isBeyondBounds(data))) return events;
    throw new GatewayError("upstream_invalid_response", `An event in the stream of ${provider} is nested too deep.`);
  }

  return {
    get hadComment() {
      return reader.hadComment;
    },
    feed(bytes) {
      size += bytes.length;
      if (size > streamLimit) throw tooLarge({ url, peer: provider }, streamLimit);
      return checked(() => reader.feed(bytes));
    },
    end: () => checked(() => reader.end()),
  };
}
