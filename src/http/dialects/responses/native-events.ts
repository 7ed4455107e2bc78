import type { ChatChunk } from "../../../engine/api/chat.ts";
import { eventsOf } from "../../../engine/dialects/openai/native-response.ts";
import type { Frame } from "./events.ts";

/** Passes on the events of a vendor of the same interface, as long as it answers. */
export interface NativeEvents {
  /** True while the vendor's own events are what the caller reads: what is made of the chunks is kept back then. */
  isCurrent(): boolean;
  /** The frames of a chunk's events; a chunk with content and without events is another vendor's, which goes on with the answer. */
  read(chunk: ChatChunk): string;
  /** The answer has begun before the vendor's: its `response.created` is not written again. */
  opened(): void;
  /** The vendor says no more. */
  interrupt(): void;
}

/** The events keep their ids and order; their numbers are those of the stream that the caller reads. */
export function nativeEvents(frame: Frame): NativeEvents {
  let isNative = false;
  let isOpen = false;
  return {
    isCurrent: () => isNative,
    read(chunk) {
      const events = eventsOf(chunk);
      if (events !== undefined || chunk.choices.length > 0) isNative = events !== undefined;
      const unwritten = (events ?? []).filter(({ type }) => !isOpen || type !== "response.created");
      return unwritten.map(({ type, ...fields }) => frame(type, fields)).join("");
    },
    opened() {
      isOpen = true;
    },
    interrupt() {
      isNative = false;
    },
  };
}
