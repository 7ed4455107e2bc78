import type { VendorEvent } from "../../../dialects/openai/native-response.ts";
import type { Frame } from "./events.ts";

/** Passes on the events of a vendor of the same interface, as long as it answers. */
export interface NativeEvents {
  /** True while the vendor's own events are what the caller reads: what is made of the chunks is kept back then. */
  isCurrent(): boolean;
  /** Notes whose chunk comes next; one without events is another vendor's, which went on with the answer. */
  take(events: readonly VendorEvent[] | undefined): void;
  write(events: readonly VendorEvent[] | undefined): string;
}

/** The events keep their ids and order; their numbers are those of the stream that the caller reads. */
export function nativeEvents(frame: Frame): NativeEvents {
  let isNative = false;
  return {
    isCurrent: () => isNative,
    take(events) {
      isNative = events !== undefined;
    },
    write(events = []) {
      return events.map(({ type, ...fields }) => frame(type, fields)).join("");
    },
  };
}
