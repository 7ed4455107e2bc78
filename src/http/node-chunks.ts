import { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { utf8Length } from "../ports/utf8.ts";
import type { Sink } from "./node-stream.ts";

/**
 * The sink of a response that is written piece by piece. Node frames each chunk as four writes and a tick; done here it is one write of
 * one string, which costs less than half (docs/performance.md). Whoever wraps `write` (a compressor), HTTP/1.0, HTTP/2 and a response
 * that still waits for its turn on the connection are written to as ever.
 */
export function sinkOf(res: ServerResponse): Sink {
  return res.write === ServerResponse.prototype.write ? new ChunkedSink(res) : res;
}

class ChunkedSink implements Sink {
  readonly #res: ServerResponse;
  /** Where framed chunks go once Node has sent the head. */
  #socket: Socket | undefined;
  #onDrain: () => void = () => {};

  constructor(res: ServerResponse) {
    this.#res = res;
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

  /** The head, and the first chunk with it. */
  #begin(text: string): boolean {
    const hasRoom = this.#res.write(text);
    const { socket, chunkedEncoding } = this.#res;
    if (socket && chunkedEncoding) this.#socket = socket;
    return hasRoom;
  }
}
