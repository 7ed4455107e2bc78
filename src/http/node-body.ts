import type { IncomingMessage } from "node:http";
import { GatewayError } from "../errors.ts";
import { tooLarge } from "./body.ts";
import type { RequestBody } from "./exchange.ts";

/** A body that was left unread is read to its end by Node itself, if it is no larger than this many bytes. */
const worthReading = 1_000_000;

/**
 * Reads a request's body. Throws `request_too_large` as soon as it is known, by `content-length` or by the bytes so far, and
 * leaves the rest unread. A body that an earlier middleware has read is taken from `req.body`.
 */
export function readBody(req: IncomingMessage, limit: number): Promise<RequestBody> {
  const { "content-length": declared, "content-encoding": encoding } = req.headers;
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(tooLarge(limit));
  if (req.readableEnded) return takeParsed(req);
  return new Promise((resolve, reject) => {
    // Let go of at the end: a promise holds what it was resolved with, and the request with its listeners lives until it is answered.
    let reading: Reading | undefined = { pieces: [], size: 0, resolve, reject };
    req.on("data", (piece: Buffer) => {
      if (!reading) return;
      reading.size += piece.length;
      reading.pieces.push(piece);
      if (reading.size <= limit) return;
      req.pause();
      reading.reject(tooLarge(limit));
      reading = undefined;
    });
    req.on("end", () => {
      reading?.resolve({ kind: "bytes", bytes: join(reading), encoding });
      reading = undefined;
    });
    req.on("close", () => {
      if (!req.complete)
        reading?.reject(new GatewayError("request_cancelled", "The caller hung up before its body was complete."));
    });
  });
}

/** A body that is being read, and who waits for it. */
interface Reading {
  readonly pieces: Buffer[];
  size: number;
  resolve(body: RequestBody): void;
  reject(error: GatewayError): void;
}

/** True when answering now would leave so much of the body unread that the connection is better closed. */
export function leavesMuchUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const declared = headers["content-length"];
  return declared === undefined ? headers["transfer-encoding"] !== undefined : Number(declared) > worthReading;
}

function join({ pieces, size }: Reading): Buffer {
  const [first] = pieces;
  return first && pieces.length === 1 ? first : Buffer.concat(pieces, size);
}

function takeParsed(req: IncomingMessage): Promise<RequestBody> {
  const body: unknown = "body" in req ? req.body : undefined;
  if (body instanceof Uint8Array || typeof body === "string") {
    return Promise.resolve({ kind: "bytes", bytes: Buffer.from(body as string), encoding: undefined });
  }
  if (body !== undefined) return Promise.resolve({ kind: "parsed", value: body });
  const message = "Something in front of the listener read the request's body and left no `req.body`.";
  return Promise.reject(new GatewayError("invalid_configuration", message));
}
