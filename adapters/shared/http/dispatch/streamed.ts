import type { GatewayError } from "../../../../src/engine/errors.ts";
import type { WireHeaders, WireRequest, WireStream } from "../../../../src/engine/ports/transport.ts";
import {
  deliverTo,
  ended,
  nextOf,
  type PullIterator,
  type Step,
  type StepSink,
} from "../../../../src/engine/runtime/pull-iterator.ts";
import type { InFlightCounter } from "../in-flight.ts";
import { DispatchExchange } from "./exchange.ts";
import { type Gatherer, ownGathering, type PieceGathering } from "./gathering.ts";

/** Bytes that may wait for a slow reader before the socket is paused. */
const highWater = 256 * 1024;

/** Ends the events of OpenAI's dialect and of those that speak it; others end with the body. */
const lastEvent = "[DONE]";

/** Who waits for the head of a streamed answer, and how its pieces are gathered. */
export interface StreamOutcome {
  /** That of this thread unless given. */
  readonly gathering?: PieceGathering | undefined;
  resolve(stream: WireStream): void;
  reject(error: GatewayError): void;
}

/**
 * An exchange whose body is read as it arrives; it is its own iterator, since a stream is read once. A waiting reader gets its
 * step inside undici's callback; bytes that arrive while no reader waits are returned as one piece. So are those that arrive within a moment
 * while the event loop lags, once the first content is out: they cost one parse, one turn and one write.
 */
export class StreamExchange
  extends DispatchExchange
  implements PullIterator<Uint8Array>, AsyncIterableIterator<Uint8Array, undefined>, Gatherer
{
  readonly #outcome: StreamOutcome;
  readonly #pace: WireRequest["pace"];
  readonly #gathering: PieceGathering;
  #pieces: Buffer[] = [];
  #waiting = 0;
  #isStarted = false;
  /** The pieces are held back from the waiter for a moment. */
  #isHeld = false;
  #error: GatewayError | undefined;
  #waiter: StepSink<Uint8Array> | undefined;

  constructor(request: WireRequest, outcome: StreamOutcome, inFlight: InFlightCounter) {
    super(request, inFlight);
    this.#outcome = outcome;
    this.#pace = request.pace;
    this.#gathering = outcome.gathering ?? ownGathering;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step<Uint8Array>> {
    return nextOf(this);
  }

  poll(waiter: StepSink<Uint8Array>): Step<Uint8Array> | undefined {
    if (this.#pieces.length > 0 || this.isEnded) {
      this.#waiter = undefined;
      this.#isHeld = false;
      return this.#settled();
    }
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
    const mayWait = waiter !== undefined && this.#mayWait(chunk);
    if (waiter && !mayWait && this.#pieces.length === 0) {
      this.#waiter = undefined;
      waiter.take({ done: false, value: chunk });
      return;
    }
    this.#pieces.push(chunk);
    this.#waiting += chunk.length;
    const isFull = this.#waiting >= highWater;
    if (waiter === undefined) {
      if (isFull && !this.isPaused) this.pause();
    } else if (isFull || !mayWait) this.#tell();
    else this.#hold();
  }

  handOver(): void {
    if (this.#isHeld) this.#tell();
  }

  /** True for a piece that the next ones may join: something was handed over before, the loop lags, and it does not end the answer. */
  #mayWait(chunk: Buffer): boolean {
    const pace = this.#pace;
    if (pace === undefined || pace.gatherMs === 0) return false;
    return this.#gathering.isDue(this.lastAt) && !chunk.includes(lastEvent);
  }

  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#gathering.hold(this, this.#pace?.gatherMs ?? 0);
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
    this.#isHeld = false;
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
