import { DerivedSteps, ended, type Step, type Steps, stepsOf } from "../ports/steps.ts";

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

/**
 * Chunks as the writer's frames. When the chunks fail, `fail` makes the last frame and `end` is not asked, so that a truncated
 * answer never looks complete.
 */
export function toFrames<Chunk>(chunks: AsyncIterable<Chunk>, writer: FrameWriter<Chunk>): AsyncIterable<string> {
  return new Frames(stepsOf(chunks), writer);
}

class Frames<Chunk> extends DerivedSteps<Chunk, string> {
  readonly #source: Steps<Chunk>;
  readonly #writer: FrameWriter<Chunk>;
  #isOver = false;

  constructor(source: Steps<Chunk>, writer: FrameWriter<Chunk>) {
    super();
    this.#source = source;
    this.#writer = writer;
  }

  async return(): Promise<Step<string>> {
    if (this.#isOver) return ended;
    this.#isOver = true;
    await this.#source.return?.();
    return ended;
  }

  protected source(): Steps<Chunk> {
    return this.#source;
  }

  protected ready(): Step<string> | undefined {
    return this.#isOver ? ended : undefined;
  }

  protected read(step: Step<Chunk>): Step<string> | undefined {
    if (this.#isOver) return ended;
    try {
      if (step.done) return this.#last(this.#writer.end());
      const value = this.#writer.write(step.value);
      return value === "" ? undefined : { done: false, value };
    } catch (thrown) {
      this.#source.return?.().catch(() => {}); // the frame that is told is about the chunk; the source only has to end
      return this.failed(thrown);
    }
  }

  protected failed(thrown: unknown): Step<string> {
    return this.#isOver ? ended : this.#last(this.#writer.fail(thrown));
  }

  #last(frame: string): Step<string> {
    this.#isOver = true;
    return { done: false, value: frame };
  }
}
