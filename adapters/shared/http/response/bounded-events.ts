import { GatewayError } from "../../../../src/engine/errors.ts";
import { isBeyondBounds } from "../../../../src/engine/runtime/json/json-scan.ts";
import { tooLarge } from "../failure.ts";
import { type SseEvent, type SseReader, sseReader } from "../sse.ts";
import type { Vendor } from "./answer.ts";

/**
 * Reads the events of one stream at `url`. Throws `upstream_invalid_response` for a stream of too many bytes, and for an event that is too
 * long or whose JSON is nested too deep: a provider that goes on for ever would keep a caller, a socket and what is counted of the answer.
 */
export function boundedEvents({ provider, eventLimit, streamLimit }: Vendor, url: string): SseReader {
  const reader = sseReader(eventLimit);
  /** Bytes so far, decompressed. */
  let size = 0;

  function checked(read: () => readonly SseEvent[]): readonly SseEvent[] {
    let events: readonly SseEvent[];
    try {
      events = read();
    } catch (cause) {
      throw new GatewayError("upstream_invalid_response", `An event in the stream of ${provider} is too long.`, {
        cause,
      });
    }
    if (!events.some(({ data }) => isBeyondBounds(data))) return events;
    throw new GatewayError("upstream_invalid_response", `An event in the stream of ${provider} is nested too deep.`);
  }

  return {
    get hadComment() {
      return reader.hadComment;
    },
    feed(bytes) {
      size += bytes.length;
      if (size > streamLimit) throw tooLarge({ url, peer: provider }, streamLimit);
      return checked(() => reader.feed(bytes));
    },
    end: () => checked(() => reader.end()),
  };
}
