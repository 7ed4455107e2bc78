import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Clock } from "../../engine/ports/clock.ts";
import { utf8Length } from "../../engine/runtime/utf8.ts";
import { keepAliveFrame } from "../response/sse.ts";
import type { FrameSink } from "./node-stream.ts";

/**
 * The sink of a response that is written piece by piece. Node frames each chunk as four writes and a tick; done here it is one
 * write of one string, which costs less than half (docs/performance.md). Responses with a wrapped `write` (a compressor),
 * HTTP/1.0, HTTP/2 and a response that still waits for its turn on the connection are written to as usual.
 */
export function sinkOf(res: ServerResponse, clock: Clock): FrameSink {
  return res.write === ServerResponse.prototype.write ? new ChunkedSink(res, clock) : new WholeSink(res, clock);
}

/** The sink of a response that Node, or who wraps it, frames. */
class WholeSink implements FrameSink {
  readonly #res: ServerResponse;
  readonly #clock: Clock;

  constructor(res: ServerResponse, clock: Clock) {
    this.#res = res;
    this.#clock = clock;
  }

  get writableEnded(): boolean {
    return this.#res.writableEnded;
  }

  on(event: "drain" | "close", listener: () => void): void {
    this.#res.on(event, listener);
  }

  write(text: string): boolean {
    return this.#res.write(text);
  }

  end(text: string): void {
    this.#res.end(text);
  }

  breakOff(text: string): void {
    breakOff(this.#res, text, this.#clock);
  }
}

/** Milliseconds for a wrapper of `write` to pass on the last text; some never call back. */
const lastTextMs = 1_000;

/** Bun says of no response that it is chunked. Elsewhere one that is not would end there as if it were whole. */
const isBun = "bun" in process.versions;

/**
 * Ends a response abnormally once its last text is out: HTTP/2 resets the stream, HTTP/1.1 closes the connection without the last
 * chunk, and HTTP/1.0, whose bodies end with the connection, resets that.
 */
function breakOff(res: ServerResponse, text: string, clock: Clock): void {
  let isCut = false;
  const stopTimer = clock.after(lastTextMs, cut);
  res.write(text === "" ? keepAliveFrame : text, cut);
  if ("flush" in res && typeof res.flush === "function") res.flush(); // of a compressor

  function cut(): void {
    if (isCut) return;
    isCut = true;
    stopTimer();
    const { socket, chunkedEncoding, req } = res;
    if (!socket || req.httpVersionMajor >= 2) res.destroy(new Error("the stream broke"));
    else if (chunkedEncoding || (isBun && req.httpVersion === "1.1")) socket.destroySoon();
    else if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  }
}

class ChunkedSink implements FrameSink {
  readonly #res: ServerResponse;
  readonly #clock: Clock;
  /** Where framed chunks go once Node has sent the head. */
  #socket: Socket | undefined;
  #onDrain: () => void = () => {};

  constructor(res: ServerResponse, clock: Clock) {
    this.#res = res;
    this.#clock = clock;
  }

  get writableEnded(): boolean {
    return this.#res.writableEnded;
  }

  on(event: "drain" | "close", listener: () => void): void {
    if (event === "drain") this.#onDrain = listener;
    this.#res.on(event, listener);
  }

  write(text: string): boolean {
    if (this.#socket === undefined) return this.#begin(text);
    const size = utf8Length(text);
    const encoding = size === text.length ? "latin1" : "utf8"; // each character a byte: nothing to encode
    const hasRoom = this.#socket.write(`${size.toString(16)}\r\n${text}\r\n`, encoding);
    if (!hasRoom) this.#socket.once("drain", this.#onDrain);
    return hasRoom;
  }

  end(text: string): void {
    this.#res.end(text);
  }

  breakOff(text: string): void {
    if (this.#socket === undefined) {
      breakOff(this.#res, text, this.#clock);
      return;
    }
    if (text !== "") this.write(text);
    this.#socket.destroySoon();
  }

  /** The head, and the first chunk with it. */
  #begin(text: string): boolean {
    const hasRoom = this.#res.write(text);
    const { socket, chunkedEncoding } = this.#res;
    if (socket && chunkedEncoding) this.#socket = socket;
    return hasRoom;
  }
}
