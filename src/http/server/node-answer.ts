import type { ServerResponse } from "node:http";
import type { Clock } from "../../engine/ports/clock.ts";
import { afterPromises } from "../../engine/runtime/loop-turn.ts";
import type { MaybePromise } from "../../engine/runtime/maybe-promise.ts";
import { utf8Length } from "../../engine/runtime/utf8.ts";
import type { HttpResponse } from "../message.ts";
import { isWhole } from "./byte-stream.ts";
import { leavesMuchUnread } from "./node-body.ts";
import { sinkOf } from "./node-chunks.ts";
import { type KeepAlive, writeFrames } from "./node-stream.ts";

/** Milliseconds, and bytes, for which a closed connection is still read. */
const lingerMs = 1_000;
const lingerBytes = 4 * 1024 * 1024;

/**
 * Closes the connection of an answer without a reset. A socket that closes with bytes unread is reset, and the client loses the answer
 * that it has not read yet (RFC 9112, 9.6). So our side ends first, and what still comes is thrown away until the client ends too, or
 * a bound is passed.
 */
function lingerAfter(res: ServerResponse, clock: Clock): void {
  const { socket } = res;
  if (!socket) return;
  socket.destroySoon = () => {
    const begun = socket.bytesRead;
    const stop = clock.after(lingerMs, () => socket.destroy());
    socket.on("data", () => {
      if (socket.bytesRead - begun > lingerBytes) socket.destroy();
    });
    socket.on("end", () => socket.destroy());
    socket.on("close", stop);
    socket.end();
    res.req.resume();
    socket.resume();
  };
}

/** The status of a request whose body did not arrive in time: the rest of it is not waited for. */
const late = 408;

/**
 * Writes an answer, a whole one together with the others of the turn. Rejects when its pieces fail, with nothing said to the client. Where
 * much of the body is unread the connection closes behind the answer.
 */
export function send(response: HttpResponse, res: ServerResponse, keepAlive: KeepAlive): MaybePromise<void> {
  const { status, headers, body, filler } = response;
  if (res.destroyed) return drop(body);
  if (res.req.httpVersionMajor < 2 && (leavesMuchUnread(res.req) || (status === late && !res.req.complete))) {
    headers.connection = "close";
    lingerAfter(res, keepAlive.clock);
  }
  if (body instanceof Uint8Array) return sendBytes({ status, headers, body }, res);
  if (typeof body === "string") return afterPromises(() => sendWhole({ status, headers, body }, res));
  res.writeHead(status, headers);
  return writeFrames(sinkOf(res, keepAlive.clock), body, filler === undefined ? keepAlive : { ...keepAlive, filler });
}

/** A file as it is stored. */
function sendBytes(
  { status, headers, body }: HttpResponse & { readonly body: Uint8Array<ArrayBuffer> },
  res: ServerResponse,
): void {
  headers["content-length"] = body.length.toFixed(0);
  res.writeHead(status, headers);
  res.end(body);
}

type Whole = HttpResponse & { readonly body: string };

/** What cannot be written is cut, so that it does not look complete. */
function sendWhole({ status, headers, body }: Whole, res: ServerResponse): void {
  try {
    const size = utf8Length(body);
    if (status !== 204 && status !== 304) headers["content-length"] = size.toFixed(0); // `String` would keep it
    res.writeHead(status, headers);
    res.end(body, size === body.length ? "latin1" : "utf8"); // each character a byte: nothing to encode
  } catch {
    res.destroy();
  }
}

/** Releases an answer that has no reader any more. */
async function drop(body: HttpResponse["body"]): Promise<void> {
  if (!isWhole(body)) await body[Symbol.asyncIterator]().return?.();
}
