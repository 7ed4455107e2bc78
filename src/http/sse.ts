/** A comment frame: keeps proxies and clients from taking silence for a dead connection. */
export const keepAliveFrame = ": keep-alive\n\n";

/** Ends a complete stream of OpenAI's dialect. */
export const doneFrame = "data: [DONE]\n\n";

/** Headers of an event stream: nothing on the way may store or hold it back. */
export const eventStreamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
} as const;

/** A value as one frame. JSON escapes line breaks, so the frame is one line. */
export function toFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A value as one frame with the name of its event. */
export function toEvent(name: string, value: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** How the chunks of a stream become its text. */
export interface FrameWriter<Chunk> {
  /** The text of one chunk; empty when the dialect has nothing to say of it. */
  write(chunk: Chunk): string;
  /** What ends a complete stream. */
  end(): string;
  /** What ends a stream that broke; it never looks like {@link FrameWriter.end}. */
  fail(thrown: unknown): string;
}

type Step = IteratorResult<string, undefined>;
const ended: Step = { done: true, value: undefined };

/**
 * Chunks as the writer's frames. When the chunks fail, `fail` makes the last frame and `end` is not asked, so that a truncated
 * answer never looks complete. Written by hand and not as a generator: that costs one promise a chunk, not three.
 */
export function toFrames<Chunk>(chunks: AsyncIterable<Chunk>, writer: FrameWriter<Chunk>): AsyncIterable<string> {
  const source = chunks[Symbol.asyncIterator]();
  let isOver = false;
  const last = (frame: string): Step => {
    isOver = true;
    return { done: false, value: frame };
  };
  const fail = (thrown: unknown): Step => (isOver ? ended : last(writer.fail(thrown)));
  const relay = (step: IteratorResult<Chunk>): Step | Promise<Step> => {
    if (isOver) return ended;
    try {
      if (step.done) return last(writer.end());
      const value = writer.write(step.value);
      return value === "" ? frames.next() : { done: false, value };
    } catch (thrown) {
      source.return?.().catch(() => {}); // the frame that is told is about the chunk; the source only has to end
      return fail(thrown);
    }
  };
  const frames: AsyncIterator<string, undefined> = {
    next: () => (isOver ? Promise.resolve(ended) : source.next().then(relay, fail)),
    async return() {
      if (isOver) return ended;
      isOver = true;
      await source.return?.();
      return ended;
    },
  };
  return { [Symbol.asyncIterator]: () => frames };
}
