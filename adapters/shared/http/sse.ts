import { StringDecoder } from "node:string_decoder";
import { createParser } from "eventsource-parser";

/** One server-sent event: its `data:` lines joined by line feeds, and its `event:` field where the server names its events. */
export interface SseEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Reads a byte stream of server-sent events, cut anywhere: inside a character, a line end, a field name. */
export interface SseReader {
  /** The events that these bytes complete; throws `RangeError` when an unfinished event passes the limit. A comment is no event. */
  feed(bytes: Uint8Array): readonly SseEvent[];
  /** True when the bytes that were fed last completed a comment, which many servers send as a sign of life. */
  readonly hadComment: boolean;
  /** The event that the stream left open by leaving out its last blank line, if any. */
  end(): readonly SseEvent[];
}

/**
 * A reader that holds at most `limit` characters of an unfinished event. Over `eventsource-parser`: measured against a parser of our
 * own it was faster (0.20 against 0.26 µs for a 348-byte event), linear on one long line in many pieces, and has the bound built in.
 */
export function sseReader(limit: number): SseReader {
  const decoder = new StringDecoder("utf8");
  let events: SseEvent[] = none;
  let isTooLong = false;
  let hadComment = false;
  const parser = createParser({
    maxBufferSize: limit,
    onEvent(event) {
      if (events === none)
        events = [event]; // room for one: most reads bring one
      else events.push(event);
    },
    onComment() {
      hadComment = true;
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") isTooLong = true;
    },
  });

  let isFirst = true;

  function read(text: string): readonly SseEvent[] {
    events = none;
    hadComment = false;
    parser.feed(isFirst && text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text);
    isFirst &&= text === "";
    if (isTooLong) throw new RangeError(`an event is longer than ${limit} characters`);
    return events;
  }

  return {
    get hadComment() {
      return hadComment;
    },
    feed: (bytes) => read(decoder.write(bytes)),
    end: () => read(`${decoder.end()}\n\n`),
  };
}

const byteOrderMark = 0xfeff;

const none: SseEvent[] = [];
