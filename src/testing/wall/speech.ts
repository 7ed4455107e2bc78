import { gzipSync } from "node:zlib";
import { cut, end, head, reset, type Step, silence, slice, trickle, wait, write } from "./step.ts";
import type { Turn } from "./turn.ts";
import type { Events, FaultKind, Speech } from "./wire.ts";

/** Splits a text into pieces as models stream it: each word with the space before it. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/ ?[^ ]+/g) ?? [];
}

const jsonHeaders = { "content-type": "application/json" };
const eventHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

/** The headers of a good answer. */
export function headersOf({ isStream }: Turn): Readonly<Record<string, string>> {
  return isStream ? eventHeaders : jsonHeaders;
}

/** What a turn would say, as whole or as events. */
export function speechOf(turn: Turn, words: readonly string[], tool?: Speech["tool"]): Speech {
  return { model: turn.model, words, tool };
}

/** The events of a speech as the turn's dialect writes them. */
export function eventsOf(turn: Turn, speech: Speech): Events {
  return turn.dialect.events(speech, turn.wantsUsage);
}

function flatten({ opening, content, closing, marker }: Events): readonly string[] {
  return [...opening, ...content, ...closing, marker];
}

/** All bytes of a good answer's body. */
export function bytesOf(turn: Turn, speech: Speech): Buffer {
  return Buffer.from(turn.isStream ? flatten(eventsOf(turn, speech)).join("") : turn.dialect.whole(speech), "utf8");
}

/** A good answer, its events one by one. */
export function answer(turn: Turn, words: readonly string[]): Step[] {
  return answerWith(turn, turn.isStream ? flatten(eventsOf(turn, speechOf(turn, words))) : [wholeOf(turn, words)]);
}

/** A good answer's head and end around these pieces. */
export function answerWith(turn: Turn, pieces: readonly (string | Uint8Array)[]): Step[] {
  return [head(200, headersOf(turn)), ...pieces.map(write), end];
}

/** A whole answer's body. */
export function wholeOf(turn: Turn, words: readonly string[]): string {
  return turn.dialect.whole(speechOf(turn, words));
}

/** A refusal with the vendor's body. */
export function refuse({ dialect }: Turn, kind: FaultKind, headers: Readonly<Record<string, string>> = {}): Step[] {
  const { status, body } = dialect.fault(kind);
  return [head(status, { ...jsonHeaders, ...headers }), write(body), end];
}

/** Milliseconds that the other side has to read what it received. */
const readingMs = 100;

/** How an answer breaks off. */
export const breaks = { cut, reset, silence, end } as const satisfies Record<string, Step>;

/**
 * An answer that breaks off in the middle: a stream after `told` words, a whole answer after half of its announced length. An early
 * `end` cannot be told of a whole answer by its length, so none is announced then.
 */
export function breakOff(
  turn: Turn,
  words: readonly string[],
  how: { readonly told: number; readonly by: Step },
): Step[] {
  // A reset also takes what the other side has received and not yet read, and one that comes with bytes is read as their end.
  const reading = how.by.kind === "reset" ? [wait(readingMs)] : [];
  if (turn.isStream) {
    const { opening, content } = eventsOf(turn, speechOf(turn, words));
    const told = content.slice(0, how.told).map(write);
    return [head(200, eventHeaders), ...opening.map(write), ...told, ...reading, how.by];
  }
  const body = Buffer.from(wholeOf(turn, words), "utf8");
  const announced = how.by.kind === "end" ? {} : { "content-length": String(body.length) };
  return [head(200, { ...jsonHeaders, ...announced }), write(body.subarray(0, body.length >> 1)), ...reading, how.by];
}

/** A good answer, compressed as one, and cut into pieces that respect neither events nor deflate blocks. */
export function compressed(turn: Turn, words: readonly string[]): Step[] {
  const bytes = gzipSync(bytesOf(turn, speechOf(turn, words)));
  return [head(200, { ...headersOf(turn), "content-encoding": "gzip" }), ...trickle(slice(bytes, 97), 2), end];
}
