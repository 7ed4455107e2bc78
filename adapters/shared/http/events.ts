import { GatewayError } from "../../../src/errors.ts";
import { DerivedSteps, ended, type Step, type Steps, stepsOf, tellOf, type Waiter } from "../../../src/ports/steps.ts";
import type { RawExchange } from "../../../src/ports.ts";
import { type HttpCall, isEventStream, notEvents, type Vendor } from "./answer.ts";
import { hostOf } from "./failure.ts";
import { letEnd } from "./farewell.ts";
import { type SseEvent, type SseReader, sseReader } from "./sse.ts";
import type { Target } from "./target.ts";
import type { WireRequest } from "./transport.ts";

/** The events of one answer, all of one socket read at a time, for one reader that waits for each. */
export interface EventBatches extends Steps<Batch> {
  return(): Promise<Step<Batch>>;
  [Symbol.asyncIterator](): EventBatches;
}

type Batch = readonly SseEvent[];

/** Asks when the first batch is wanted. */
export function eventBatches(vendor: Vendor, wire: WireRequest, call: HttpCall): EventBatches {
  return new StreamedEvents(vendor, wire, call);
}

class StreamedEvents extends DerivedSteps<Uint8Array, Batch> implements EventBatches {
  readonly #vendor: Vendor;
  readonly #url: string;
  /** Until it is sent: its body may be long, and the answer long in coming. */
  #wire: WireRequest | undefined;
  readonly #call: HttpCall;
  readonly #reader: SseReader;
  #remember: ((batch: Batch) => void) | undefined;
  #pieces: Steps<Uint8Array> | undefined;
  #isOver = false;

  constructor(vendor: Vendor, wire: WireRequest, call: HttpCall) {
    super();
    this.#vendor = vendor;
    this.#url = wire.url;
    this.#wire = wire;
    this.#call = call;
    this.#reader = sseReader(vendor.eventLimit);
  }

  override poll(waiter: Waiter<Batch>): Step<Batch> | undefined {
    const wire = this.#wire;
    if (!wire || this.#isOver) return super.poll(waiter);
    this.#wire = undefined;
    this.#open(wire).then(
      () => tellOf(waiter, () => super.poll(waiter)),
      (thrown: unknown) => {
        this.#isOver = true;
        waiter.fail(thrown);
      },
    );
    return undefined;
  }

  async return(): Promise<Step<Batch>> {
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
    if (!isEventStream(stream)) {
      this.#isOver = true;
      throw await notEvents(this.#vendor, { url: this.#url, answer: stream, call: this.#call });
    }
    if (this.#call.raw) this.#remember = rememberIn(this.#call.raw, this.#vendor.target);
    this.#pieces = stepsOf(stream.body);
  }

  protected source(): Steps<Uint8Array> {
    return this.#pieces as Steps<Uint8Array>;
  }

  protected ready(): Step<Batch> | undefined {
    return this.#isOver ? ended : undefined;
  }

  protected read(step: Step<Uint8Array>): Step<Batch> | undefined {
    if (step.done) this.#isOver = true;
    const batch = this.#parse(step);
    if (batch.length === 0) return this.ready();
    this.#remember?.(batch);
    if (!this.#isOver && batch.some(this.#vendor.isLastEvent)) {
      this.#isOver = true;
      letEnd(this.#pieces as Steps<Uint8Array>);
    }
    return { done: false, value: batch };
  }

  protected failed(thrown: unknown): never {
    this.#leave();
    throw thrown;
  }

  #leave(): void {
    this.return().catch(() => {}); // who waits is told why; the source only has to end
  }

  #parse(step: Step<Uint8Array>): Batch {
    try {
      return step.done ? this.#reader.end() : this.#reader.feed(step.value);
    } catch (thrown) {
      this.#leave();
      const message = `An event in the stream of ${hostOf(this.#url)} is too long.`;
      throw new GatewayError("upstream_invalid_response", message, { cause: thrown });
    }
  }
}

function rememberIn(raw: RawExchange, target: Target): (batch: Batch) => void {
  const seen: string[] = [];
  raw.response = seen;
  return (batch) => {
    for (const event of batch) seen.push(target.redact(event.data));
  };
}
