import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../engine/errors.ts";
import { turnEnd } from "../../engine/runtime/loop-turn.ts";
import type { BodyIntake, RequestBody } from "../message.ts";
import { tooLarge } from "../request/body-errors.ts";

/**
 * Bodies of no more bytes than this are read before anybody asks for them, since they come with their head as a rule; one that was left
 * unread is read to its end by Node itself, so that the connection goes on.
 */
const worthReading = 65_536;

/**
 * Begins to read a body that is short by what it says of itself: it is here at the end of the turn, or soon. `undefined` for any other,
 * which is read when somebody asks for it.
 */
export function beginBody(req: IncomingMessage): Promise<RequestBody> | undefined {
  const declared = req.headers["content-length"];
  if (declared === undefined || Number(declared) > worthReading || req.readableEnded) return undefined;
  const begun = collect(req, { limit: worthReading, resize: () => {}, onLate: () => undefined });
  begun.catch(() => {}); // the body may never be read
  return begun;
}

/**
 * Reads a request's body, which may have been begun. Throws `request_too_large` as soon as it is known, by `content-length` or by the
 * bytes so far, what the intake throws or fails with, and leaves the rest unread. A body that an earlier middleware has read is taken from `req.body`.
 */
export function readBody(
  req: IncomingMessage,
  intake: BodyIntake,
  begun?: Promise<RequestBody> | undefined,
): Promise<RequestBody> {
  const { limit } = intake;
  const declared = req.headers["content-length"];
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(tooLarge(limit));
  if (begun) {
    try {
      intake.resize(Number(declared));
    } catch (thrown) {
      return Promise.reject(thrown);
    }
    return req.complete ? begun : atTurnEnd(inTime(begun, intake));
  }
  return atTurnEnd(req.readableEnded ? takeParsed(req) : collect(req, intake));
}

/** Fails when a short body that was begun takes too long. */
function inTime(reading: Promise<RequestBody>, { onLate }: BodyIntake): Promise<RequestBody> {
  return new Promise((resolve, reject) => {
    const stop = onLate(reject);
    reading.then(resolve, reject).finally(stop);
  });
}

async function atTurnEnd(reading: Promise<RequestBody>): Promise<RequestBody> {
  const body = await reading;
  await turnEnd();
  return body;
}

function collect(req: IncomingMessage, { limit, resize, onLate }: BodyIntake): Promise<RequestBody> {
  const encoding = req.headers["content-encoding"];
  return new Promise((resolve, reject) => {
    // Let go of at the end: a promise holds what it was resolved with, and the request with its listeners lives until it is answered.
    let reading: BodyBuffer | undefined = { pieces: [], size: 0, resolve, reject };
    const giveUp = (thrown: unknown) => {
      stop?.();
      req.pause();
      reading?.reject(thrown);
      reading = undefined;
    };
    const stop = onLate(giveUp);
    req.on("data", (piece: Buffer) => {
      if (!reading) return;
      reading.size += piece.length;
      reading.pieces.push(piece);
      try {
        if (reading.size > limit) throw tooLarge(limit);
        resize(reading.size);
      } catch (thrown) {
        giveUp(thrown);
      }
    });
    req.on("end", () => {
      stop?.();
      reading?.resolve({ kind: "bytes", bytes: join(reading), encoding });
      reading = undefined;
    });
    req.on("close", () => {
      stop?.();
      if (!req.complete)
        reading?.reject(new GatewayError("request_cancelled", "The caller hung up before its body was complete."));
    });
  });
}

/** A body that is being read, and who waits for it. */
interface BodyBuffer {
  readonly pieces: Buffer[];
  size: number;
  resolve(body: RequestBody): void;
  reject(thrown: unknown): void;
}

/** True when answering now would leave so much of the body unread that the connection is better closed. */
export function leavesMuchUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const declared = headers["content-length"];
  return declared === undefined ? headers["transfer-encoding"] !== undefined : Number(declared) > worthReading;
}

function join({ pieces, size }: BodyBuffer): Buffer {
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
