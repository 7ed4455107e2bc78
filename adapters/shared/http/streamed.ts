import type { GatewayError } from "../../../src/errors.ts";
import { Exchange } from "./exchange.ts";
import type { Traffic } from "./traffic.ts";
import type { WireHeaders, WireRequest, WireStream } from "./transport.ts";

/** Bytes that may wait for a slow reader before the socket is paused. */
const highWater = 256 * 1024;

/** Who waits for the head of a streamed answer. */
export interface StreamOutcome {
  resolve(stream: WireStream): void;
  reject(error: GatewayError): void;
}

const end: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * An exchange whose body is read as it comes; it is its own iterator, since a stream is read once. All that one socket read
 * brought is handed over as one piece: undici calls back once per HTTP chunk, synchronously, and the reader wakes after the last.
 */
export class StreamExchange extends Exchange implements AsyncIterableIterator<Uint8Array> {
  readonly #outcome: StreamOutcome;
  #pieces: Buffer[] = [];
  #waiting = 0;
  #isPaused = false;
  #isStarted = false;
  #error: GatewayError | undefined;
  #wake: (() => void) | undefined;

  constructor(request: WireRequest, outcome: StreamOutcome, traffic: Traffic) {
    super(request, traffic);
    this.#outcome = outcome;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#pieces.length > 0 || this.isEnded) return this.#settled();
    return new Promise<void>((resolve) => {
      this.#wake = resolve;
    }).then(() => this.#settled());
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#pieces = [];
    this.#error = undefined;
    this.drop();
    this.#wakeReader();
    return Promise.resolve(end);
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
    this.#pieces.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting >= highWater && !this.#isPaused) {
      this.#isPaused = true;
      this.pause();
    }
    this.#wakeReader();
  }

  protected finish(): void {
    this.#wakeReader();
  }

  protected reject(error: GatewayError): void {
    if (error.code === "request_cancelled") this.#pieces = [];
    this.#error = error;
    if (this.phase === "before the answer") this.#outcome.reject(error);
    this.#wakeReader();
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** What there is to hand over now; only called when there is something. */
  #settled(): Promise<IteratorResult<Uint8Array>> {
    const [first] = this.#pieces;
    if (first === undefined) {
      const error = this.#error;
      this.#error = undefined;
      return error === undefined ? Promise.resolve(end) : Promise.reject(error);
    }
    const value = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#waiting = 0;
    if (this.#isPaused && !this.isEnded) {
      this.#isPaused = false;
      this.resume();
    }
    return Promise.resolve({ done: false, value });
  }
}
