import type { ChatChunk } from "../../../src/api/chat.ts";
import type { SseEvent } from "../http/sse.ts";

/** Turns the events of one stream into chunks; what a native provider writes for its vendor. */
export interface EventDecoder {
  /** Appends to `out` what the data of one event says; true when the answer is complete. Throws what an error event says. */
  read(data: string, out: ChatChunk[]): boolean;
  /** The stream ended by itself: appends what is left, or throws `upstream_stream_broken` when the answer is not complete. */
  end(out: ChatChunk[]): void;
}

/** The chunks of a stream. What follows a complete answer is not waited for. */
export async function* decodeStream(
  batches: AsyncIterable<readonly SseEvent[]>,
  decoder: EventDecoder,
): AsyncGenerator<ChatChunk, void, undefined> {
  let chunks: ChatChunk[] = [];
  for await (const batch of batches) {
    let isComplete = false;
    for (const event of batch) {
      isComplete = decoder.read(event.data, chunks);
      if (isComplete) break;
    }
    for (const chunk of chunks) yield chunk;
    if (isComplete) return;
    chunks = [];
  }
  decoder.end(chunks);
  for (const chunk of chunks) yield chunk;
}
