/** A comment frame: keeps proxies and clients from taking silence for a dead connection. */
export const keepAliveFrame = ": keep-alive\n\n";

const doneFrame = "data: [DONE]\n\n";

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

type Step = IteratorResult<string, undefined>;
const ended: Step = { done: true, value: undefined };

/**
 * Chunks as frames, `data: [DONE]` last. When the chunks fail, `tellFailure` makes the last frame and no `[DONE]` follows, so
 * that a truncated answer never looks complete. Written by hand and not as a generator: that costs one promise a chunk, not three.
 */
export function toFrames(
  chunks: AsyncIterable<unknown>,
  tellFailure: (thrown: unknown) => string,
): AsyncIterable<string> {
  const source = chunks[Symbol.asyncIterator]();
  let isOver = false;
  const last = (frame: string): Step => {
    isOver = true;
    return { done: false, value: frame };
  };
  const fail = (thrown: unknown): Step => (isOver ? ended : last(tellFailure(thrown)));
  const relay = (step: IteratorResult<unknown>): Step => {
    if (isOver) return ended;
    if (step.done) return last(doneFrame);
    try {
      return { done: false, value: toFrame(step.value) };
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
