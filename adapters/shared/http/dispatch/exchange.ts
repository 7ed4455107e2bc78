import type { Dispatcher } from "undici";
import type { GatewayError } from "../../../../src/engine/errors.ts";
import type { WireHeaders, WireRequest, WireTimeouts } from "../../../../src/engine/ports/transport.ts";
import type { Abortable } from "../../../../src/engine/runtime/abortable.ts";
import { afterPromises } from "../../../../src/engine/runtime/loop-turn.ts";
import { longestTimer } from "../../timer.ts";
import { abortError, type ExchangePhase, networkError, type Peer, timeoutError } from "../failure.ts";
import type { InFlightCounter } from "../in-flight.ts";
import { type Connections, isStale } from "./connections.ts";

type Controller = Dispatcher.DispatchController;
type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** The deadlines, and how errors report each. */
const waits = {
  connect: "accepted no connection",
  firstContent: "sent nothing",
  gap: "sent no further bytes",
} as const;

/** A request, and the connections that it is sent through. */
interface SentRequest {
  readonly connections: Connections;
  readonly dispatcher: Dispatcher;
  readonly options: Dispatcher.DispatchOptions;
  /** It was sent before, through a connection that was stale. */
  readonly isAgain?: boolean;
}

/**
 * One request on its way through undici: the handler of `dispatch`, the listener of the caller's signal and the owner of the one
 * timer, all in one object, since it is made for every call. Ends exactly once: by `finish` or by `fail`. It does not hold the
 * request, whose body may be long and its answer long in coming.
 */
export abstract class DispatchExchange implements Dispatcher.DispatchHandler, Peer {
  readonly url: string;
  readonly peer: string | undefined;
  protected phase: ExchangePhase = "before the answer";
  protected isEnded = false;
  /** The reader is slow: no deadline runs. */
  protected isPaused = false;
  readonly #signal: Abortable;
  readonly #timeouts: WireTimeouts;
  readonly #inFlight: InFlightCounter;
  #controller: Controller | undefined;
  /** Until an answer begins. */
  #sending: SentRequest | undefined;
  #timer: NodeJS.Timeout | undefined;
  #wait: keyof typeof waits = "connect";
  #progress = 0;
  /** When the last bytes came, in milliseconds; a deadline that has passed since it was set counts from here. */
  protected lastAt = 0;
  #ringsAt = 0;

  constructor({ url, peer, signal, timeouts }: WireRequest, inFlight: InFlightCounter) {
    this.url = url;
    this.peer = peer;
    this.#signal = signal;
    this.#timeouts = timeouts;
    this.#inFlight = inFlight;
    inFlight.begin();
    this.arm("connect");
    signal.addEventListener("abort", this);
  }

  /**
   * Hands the request to a dispatcher of undici behind those of the same turn, unless nobody waits for its answer any more: the code that
   * sends is fetched once for all. A request that fails with a stale connection is sent once more, on a fresh one, at once.
   */
  send(connections: Connections, options: Dispatcher.DispatchOptions): void {
    this.#sending = { connections, dispatcher: connections.dispatcher, options };
    afterPromises(() => this.#dispatch());
  }

  /** True when the request was sent once more, since its connection was stale. */
  #resend(failed: unknown): boolean {
    const sending = this.#sending;
    if (sending === undefined || sending.isAgain || !isStale(failed)) return false;
    const { connections, dispatcher, options } = sending;
    connections.renew(dispatcher);
    this.#sending = { connections, dispatcher: connections.dispatcher, options, isAgain: true };
    this.#controller = undefined;
    this.arm("connect");
    this.#dispatch();
    return true;
  }

  #dispatch(): void {
    const sending = this.#sending;
    if (this.isEnded || sending === undefined) return;
    try {
      sending.dispatcher.dispatch(sending.options, this);
    } catch (thrown) {
      this.onResponseError(undefined, thrown);
    }
  }

  /** The listener of the signal. */
  handleEvent(): void {
    this.fail(abortError(this.#signal));
  }

  onRequestStart(controller: Controller): void {
    if (this.isEnded) {
      controller.abort(new Error("no caller waits"));
      return;
    }
    this.#controller = controller;
    this.arm("firstContent");
  }

  onResponseStart(_controller: Controller, status: number, headers: ResponseHeaders): void {
    this.#progress += 1;
    this.#sending = undefined;
    if (status >= 200 && !this.isEnded) this.begin(status, joinHeaders(headers));
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.isEnded) return;
    this.#progress += 1;
    this.lastAt = performance.now(); // moving the timer costs each piece more
    this.take(chunk);
  }

  onResponseEnd(): void {
    if (this.isEnded) return;
    this.release();
    this.finish();
  }

  onResponseError(_controller: Controller | undefined, error: unknown): void {
    if (this.isEnded || this.#resend(error)) return;
    this.release();
    this.reject(networkError(error, this, this.phase));
  }

  /** Ends the exchange from our side: closes the socket and rejects. */
  protected fail(error: GatewayError): void {
    if (this.isEnded) return;
    this.release();
    this.#controller?.abort(error);
    this.reject(error);
  }

  /** Ends the exchange because nobody wants the rest. */
  protected drop(): void {
    if (this.isEnded) return;
    this.release();
    this.#controller?.abort(new Error("no reader is left"));
  }

  protected pause(): void {
    this.isPaused = true;
    this.#controller?.pause();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  protected resume(): void {
    this.isPaused = false;
    this.arm("gap");
    this.#controller?.resume();
  }

  /**
   * Starts one deadline in place of the one that runs. A timer that rings no later than that is left as it is, and asks when it rings:
   * most never do. Native timers, since undici's own are half a second coarse.
   */
  protected arm(wait: keyof typeof waits): void {
    const ms = this.#timeouts[wait];
    this.lastAt = performance.now();
    this.#wait = wait;
    if (this.#timer === undefined || this.lastAt + ms < this.#ringsAt) this.#wake(this.lastAt, ms);
  }

  #wake(now: number, ms: number): void {
    clearTimeout(this.#timer);
    const wait = Math.min(ms, longestTimer);
    this.#ringsAt = now + wait;
    this.#timer = setTimeout(expire, wait, this);
  }

  /** A busy event loop runs timers before it reads sockets: look once more after the sockets were read. */
  expire(): void {
    const seen = this.#progress;
    const wait = this.#wait;
    const now = performance.now();
    const left = this.lastAt + this.#timeouts[wait] - now;
    this.#timer = undefined;
    if (left > 1) {
      this.#wake(now, left);
      return;
    }
    setImmediate(() => {
      if (this.isEnded || this.isPaused || this.#wait !== wait) return;
      if (this.#progress !== seen) this.arm(wait);
      else this.fail(timeoutError(this, waits[wait], this.#timeouts[wait]));
    });
  }

  private release(): void {
    this.isEnded = true;
    this.#sending = undefined;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this);
    this.#inFlight.end();
  }

  protected abstract begin(status: number, headers: WireHeaders): void;
  protected abstract take(chunk: Buffer): void;
  protected abstract finish(): void;
  protected abstract reject(error: GatewayError): void;
}

function expire(exchange: DispatchExchange): void {
  exchange.expire();
}

/** undici gives a list where a header came more than once; most answers have none, and their object is used as it is. */
function joinHeaders(headers: ResponseHeaders): WireHeaders {
  let isPlain = true;
  for (const name in headers) if (typeof headers[name] !== "string") isPlain = false;
  if (isPlain) return headers as WireHeaders;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
