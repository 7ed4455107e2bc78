import type { ServerResponse } from "node:http";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import { afterPromises } from "../ports/turn.ts";
import { utf8Length } from "../ports/utf8.ts";
import type { HttpResponse } from "./exchange.ts";
import { leavesMuchUnread } from "./node-body.ts";
import { sinkOf } from "./node-chunks.ts";
import { type KeepAlive, writeFrames } from "./node-stream.ts";

/** Writes an answer, a whole one together with the others of the turn. Rejects when its pieces fail, with nothing said to the client. */
export function send(response: HttpResponse, res: ServerResponse, keepAlive: KeepAlive): MaybePromise<void> {
  const { status, headers, body, filler } = response;
  if (res.destroyed) return drop(body);
  if (leavesMuchUnread(res.req) && res.req.httpVersionMajor < 2) headers.connection = "close";
  if (typeof body === "string") return afterPromises(() => sendWhole({ status, headers, body }, res));
  res.writeHead(status, headers);
  return writeFrames(sinkOf(res), body, filler === undefined ? keepAlive : { ...keepAlive, filler });
}

type Whole = HttpResponse & { readonly body: string };

/** What cannot be written is cut, so that it does not look complete. */
function sendWhole({ status, headers, body }: Whole, res: ServerResponse): void {
  try {
    const size = utf8Length(body);
    if (status !== 204) headers["content-length"] = size.toFixed(0); // `String` would keep it
    res.writeHead(status, headers);
    res.end(body, size === body.length ? "latin1" : "utf8"); // each character a byte: nothing to encode
  } catch {
    res.destroy();
  }
}

/** Lets go of an answer that nobody takes any more. */
async function drop(body: HttpResponse["body"]): Promise<void> {
  if (typeof body !== "string") await body[Symbol.asyncIterator]().return?.();
}
