import type { ChatChunk } from "../../../src/api/chat.ts";
import type { SseEvent } from "../http/sse.ts";

/** Turns the events of one stream into chunks; what a native provider writes for its vendor. */
export interface EventDecoder {
  /** Appends to `out` what the data of one event says; true when the answer is complete. Throws what an error event says. */
  read(data: string, out: ChatChunk[]): boolean;
  /** The stream ended by itself: appends what is left, or throws `upstream_stream_broken` when the answer is not complete. */
  end(out: ChatChunk[]): void;
}

/**
 * The chunks of the stream that `open` begins. A complete answer ends at once; the end of its HTTP message, which is still to come, is
 * read in the background, so that the connection lives on for the next request.
 */
export async function* decodeStream(
  open: () => AsyncGenerator<readonly SseEvent[], void, undefined>,
  decoder: EventDecoder,
): AsyncGenerator<ChatChunk, void, undefined> {
  const batches = open();
  let isComplete = false;
  try {
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      const chunks: ChatChunk[] = [];
      try {
        isComplete = readBatch(next.value, decoder, chunks);
      } finally {
        // Also before an error of the same batch: what came before it was said.
        for (const chunk of chunks) yield chunk;
      }
      if (isComplete) return;
    }
    const last: ChatChunk[] = [];
    decoder.end(last);
    for (const chunk of last) yield chunk;
  } finally {
    if (isComplete) void readOut(batches);
    else await batches.return();
  }
}

function readBatch(batch: readonly SseEvent[], decoder: EventDecoder, chunks: ChatChunk[]): boolean {
  for (const event of batch) if (decoder.read(event.data, chunks)) return true;
  return false;
}

/** Waits for the end and closes what does not end; a complete answer has nothing more to report. */
async function readOut(batches: AsyncGenerator<unknown, void, undefined>): Promise<void> {
  try {
    await batches.next();
    await batches.return();
  } catch {
    // The caller has the whole answer: a connection that breaks now takes nothing from it.
  }
}
