import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { isGatewayError } from "../../../src/engine/errors.ts";
import { flattenBatches, type ReadItems } from "../http/response/flatten-batches.ts";
import type { SseEvent } from "../http/sse.ts";
import type { Translation } from "./fields.ts";
import { unreadableAnswer } from "./lenient.ts";

/** Turns the events of one stream into chunks; what a native provider writes for its vendor. */
export interface EventDecoder {
  /** Appends to `out` what the data of one event says; true when the answer is complete. Throws what an error event says. */
  read(data: string, out: ChatChunk[]): boolean;
  /** The stream ended by itself: appends what is left, or throws `upstream_stream_broken` when the answer is not complete. */
  end(out: ChatChunk[]): void;
}

/** The chunks of the stream that `open` begins. */
export function decodeStream(
  of: Translation,
  open: () => AsyncIterable<readonly SseEvent[]>,
  decoder: EventDecoder,
): AsyncIterableIterator<ChatChunk, undefined> {
  return flattenBatches({
    open,
    read: (batch) => readBatch(batch, decoder),
    end(broken) {
      if (broken && !isLoss(broken.thrown)) throw broken.thrown;
      const last: ChatChunk[] = [];
      try {
        decoder.end(last);
      } catch (thrown) {
        throw broken ? broken.thrown : unreadableAnswer(thrown);
      }
      if (broken) warnOfLoss(of);
      return last;
    },
  });
}

/** True for the loss of a connection, which takes nothing from an answer that had already ended. */
export function isLoss(thrown: unknown): boolean {
  return isGatewayError(thrown) && (thrown.code === "upstream_stream_broken" || thrown.code === "upstream_timeout");
}

export function warnOfLoss({ provider, call }: Translation): void {
  call.warn(`the stream of ${provider} broke off after its last content`);
}

/** What came before an error in the same batch was said all the same. */
function readBatch(batch: readonly SseEvent[], decoder: EventDecoder): ReadItems<ChatChunk> {
  const items: ChatChunk[] = [];
  try {
    for (const event of batch)
      if (decoder.read(event.data, items)) return { items, broken: undefined, isComplete: true };
    return { items, broken: undefined };
  } catch (thrown) {
    return { items, broken: { thrown: unreadableAnswer(thrown) } };
  }
}
