import { gzipSync } from "node:zlib";
import { cut, end, head, reset, type SocketStep, silence, slice, trickle, wait, write } from "../wire/step.ts";
import type { EventParts, FaultKind, SpokenAnswer } from "../wire/wire.ts";
import type { FaultTurn } from "./turn.ts";

/** Splits a text into pieces as models stream it: each word with the space before it. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/ ?[^ ]+/g) ?? [];
}

const jsonHeaders = { "content-type": "application/json" };
const eventHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** The headers of a good answer. */
export function headersOf({ isStream }: FaultTurn): Readonly<Record<string, string>> {
  return isStream ? eventHeaders : jsonHeaders;
}

/** What a turn would say, as whole or as events. */
export function answerOfTurn(
  turn: FaultTurn,
  words: readonly string[],
  more: Pick<SpokenAnswer, "tool" | "thoughts"> = {},
): SpokenAnswer {
  return { model: turn.model, words, ...more };
}

/** The events of a speech as the turn's dialect writes them. */
export function eventsOf(turn: FaultTurn, spokenAnswer: SpokenAnswer): EventParts {
  return turn.dialect.events(spokenAnswer, turn.wantsUsage);
}

/** All events of an answer. */
export function flattenEvents({ opening, content, closing, marker }: EventParts): readonly string[] {
  return [...opening, ...content, ...closing, marker];
}

/** All bytes of a good answer's body. */
export function bytesOf(turn: FaultTurn, spokenAnswer: SpokenAnswer): Buffer {
  return Buffer.from(
    turn.isStream ? flattenEvents(eventsOf(turn, spokenAnswer)).join("") : turn.dialect.whole(spokenAnswer),
    "utf8",
  );
}

/** A good answer, its events one by one. */
export function answer(turn: FaultTurn, words: readonly string[]): SocketStep[] {
  return answerWith(
    turn,
    turn.isStream ? flattenEvents(eventsOf(turn, answerOfTurn(turn, words))) : [wholeOf(turn, words)],
  );
}

/** A good answer's head and end around these pieces. */
export function answerWith(turn: FaultTurn, pieces: readonly (string | Uint8Array)[]): SocketStep[] {
  return [head(200, headersOf(turn)), ...pieces.map(write), end];
}

/** A whole answer's body. */
export function wholeOf(turn: FaultTurn, words: readonly string[]): string {
  return turn.dialect.whole(answerOfTurn(turn, words));
}

/** A refusal with the vendor's body. */
export function refuse(
  { dialect }: FaultTurn,
  kind: FaultKind,
  headers: Readonly<Record<string, string>> = {},
): SocketStep[] {
  const { status, body } = dialect.fault(kind);
  return [head(status, { ...jsonHeaders, ...headers }), write(body), end];
}

/** Milliseconds that the other side has to read what it received. */
const readingMs = 100;

/** How an answer breaks off. */
export const breaks = { cut, reset, silence, end } as const satisfies Record<string, SocketStep>;

/**
 * An answer that breaks off in the middle: a stream after `reported` words, a whole answer after half of its announced length. A
 * whole answer with an early `end` cannot announce its length, so none is announced then.
 */
export function breakOff(
  turn: FaultTurn,
  words: readonly string[],
  how: { readonly reported: number; readonly by: SocketStep },
): SocketStep[] {
  // A reset also takes what the other side has received and not yet read, and one that comes with bytes is read as their end.
  const reading = how.by.kind === "reset" ? [wait(readingMs)] : [];
  if (turn.isStream) {
    const { opening, content } = eventsOf(turn, answerOfTurn(turn, words));
    const reported = content.slice(0, how.reported).map(write);
    return [head(200, eventHeaders), ...opening.map(write), ...reported, ...reading, how.by];
  }
  const body = Buffer.from(wholeOf(turn, words), "utf8");
  const announced = how.by.kind === "end" ? {} : { "content-length": String(body.length) };
  return [head(200, { ...jsonHeaders, ...announced }), write(body.subarray(0, body.length >> 1)), ...reading, how.by];
}

/** A good answer, compressed as one, and cut into pieces that respect neither events nor deflate blocks. */
export function compressed(turn: FaultTurn, words: readonly string[]): SocketStep[] {
  const bytes = gzipSync(bytesOf(turn, answerOfTurn(turn, words)));
  return [head(200, { ...headersOf(turn), "content-encoding": "gzip" }), ...trickle(slice(bytes, 97), 2), end];
}
