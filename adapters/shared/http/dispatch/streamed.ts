import type { GatewayError } from "../../../../src/errors.ts";
import {
  deliverTo,
  ended,
  nextOf,
  type PullIterator,
  type Step,
  type StepSink,
} from "../../../../src/runtime/pull-iterator.ts";
import type { InFlightCounter } from "../in-flight.ts";
import type { WireHeaders, WireRequest, WireStream } from "../transport.ts";
import { DispatchExchange } from "./exchange.ts";

/** Bytes that may wait for a slow reader before the socket is paused. */
const highWater = 256 * 1024;

/** Who waits for the head of a streamed answer. */
export interface StreamOutcome {
  resolve(stream: WireStream): void;
  reject(error: GatewayError): void;
}

/**
 * An exchange whose body is read as it arrives; it is its own iterator, since a stream is read once. A waiting reader gets its
 * step inside undici's callback; bytes that arrive while no reader waits are returned as one piece.
 */
export class StreamExchange
  extends DispatchExchange
  implements PullIterator<Uint8Array>, AsyncIterableIterator<Uint8Array, undefined>
{
  readonly #outcome: StreamOutcome;
  #pieces: Buffer[] = [];
  #waiting = 0;
  #isStarted = false;
  #error: GatewayError | undefined;
  #waiter: StepSink<Uint8Array> | undefined;

  constructor(request: WireRequest, outcome: StreamOutcome, inFlight: InFlightCounter) {
    super(request, inFlight);
    this.#outcome = outcome;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<Uint8Array>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<Uint8Array>): Step<Uint8Array> | undefined {
    if (this.#pieces.length > 0 || this.isEnded) return this.#settled();
    this.#waiter = waiter;
    return undefined;
  }

  return(): Promise<Step<Uint8Array>> {
    this.#pieces = [];
    this.#error = undefined;
    this.drop();
    this.#tell();
    return Promise.resolve(ended);
  }

  protected begin(status: number, headers: WireHeaders): void {
    this.phase = "inside a stream";
    this.#outcome.resolve({ status, headers, body: this });
  }

  protected take(chunk: Buffer): void {
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.arm("gap");
    }
    const waiter = this.#waiter;
    if (waiter) {
      this.#waiter = undefined;
      waiter.take({ done: false, value: chunk });
      return;
    }
    this.#pieces.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting >= highWater && !this.isPaused) this.pause();
  }

  protected finish(): void {
    this.#tell();
  }

  protected reject(error: GatewayError): void {
    if (error.code === "request_cancelled") this.#pieces = [];
    this.#error = error;
    if (this.phase === "before the answer") this.#outcome.reject(error);
    this.#tell();
  }

  /** The answer is over: notifies the waiter, if any. */
  #tell(): void {
    const waiter = this.#waiter;
    if (waiter === undefined) return;
    this.#waiter = undefined;
    deliverTo(waiter, () => this.#settled());
  }

  /** The step to return now; only called when there is one. Throws the error that the answer ended with. */
  #settled(): Step<Uint8Array> {
    const [first] = this.#pieces;
    if (first === undefined) {
      const error = this.#error;
      this.#error = undefined;
      if (error) throw error;
      return ended;
    }
    const value = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#waiting = 0;
    if (this.isPaused && !this.isEnded) this.resume();
    return { done: false, value };
  }
}
