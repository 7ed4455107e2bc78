import type { ChatChunk } from "../../../src/api/chat.ts";
import type { EventBatches } from "../http/events.ts";
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
  open: () => EventBatches,
  decoder: EventDecoder,
): AsyncGenerator<ChatChunk, void, undefined> {
  const batches = open();
  let isComplete = false;
  try {
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      const read = readBatch(next.value, decoder);
      isComplete = read.isComplete;
      for (const chunk of read.chunks) yield chunk;
      if (read.failure) throw read.failure.thrown;
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

/** What one batch said; what came before its error was said all the same. */
interface ReadBatch {
  readonly chunks: readonly ChatChunk[];
  readonly isComplete: boolean;
  readonly failure?: { readonly thrown: unknown };
}

function readBatch(batch: readonly SseEvent[], decoder: EventDecoder): ReadBatch {
  const chunks: ChatChunk[] = [];
  try {
    for (const event of batch) if (decoder.read(event.data, chunks)) return { chunks, isComplete: true };
    return { chunks, isComplete: false };
  } catch (thrown) {
    return { chunks, isComplete: false, failure: { thrown } };
  }
}

/** Waits for the end and closes what does not end; a complete answer has nothing more to report. */
async function readOut(batches: EventBatches): Promise<void> {
  try {
    await batches.next();
    await batches.return();
  } catch {
    // The caller has the whole answer: a connection that breaks now takes nothing from it.
  }
}
