import {
  ended,
  MappedPullIterator,
  type PullIterator,
  pullIteratorOf,
  type Step,
} from "../../engine/runtime/pull-iterator.ts";

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
  /** The text of one chunk; empty when the dialect has no event for it. */
  write(chunk: Chunk): string;
  /** What ends a complete stream. */
  end(): string;
  /** The last frame of a stream that broke; it never looks like {@link FrameWriter.end}. */
  fail(thrown: unknown): string;
}

/**
 * Thrown behind the last frame of a stream that broke: the body must end abnormally, because half of the typed clients do not know
 * errors inside a stream and take a clean end for a whole answer (inference-resolved.md, section 4).
 */
export class BrokenBody extends Error {
  override readonly name = "BrokenBody";

  constructor(cause: unknown) {
    super("The stream broke; its last frame has the reason.", { cause });
  }
}

/**
 * Chunks as the writer's frames. When the chunks fail, `fail` makes the last frame, `end` is not asked and the frames fail with a
 * {@link BrokenBody}, so that a truncated answer never looks complete.
 */
export function toFrames<Chunk>(chunks: AsyncIterable<Chunk>, writer: FrameWriter<Chunk>): AsyncIterable<string> {
  return new Frames(pullIteratorOf(chunks), writer);
}

class Frames<Chunk> extends MappedPullIterator<Chunk, string> {
  readonly #source: PullIterator<Chunk>;
  readonly #writer: FrameWriter<Chunk>;
  #isOver = false;
  /** Why the frames fail once the last of them was read. */
  #broken: BrokenBody | undefined;

  constructor(context: PullIterator<Chunk>, writer: FrameWriter<Chunk>) {
    super();
    this.#source = context;
    this.#writer = writer;
  }

  async return(): Promise<Step<string>> {
    this.#broken = undefined;
    if (this.#isOver) return ended;
    this.#isOver = true;
    await this.#source.return?.();
    return ended;
  }

  protected context(): PullIterator<Chunk> {
    return this.#source;
  }

  protected ready(): Step<string> | undefined {
    const broken = this.#broken;
    this.#broken = undefined;
    if (broken) throw broken;
    return this.#isOver ? ended : undefined;
  }

  protected read(step: Step<Chunk>): Step<string> | undefined {
    if (this.#isOver) return ended;
    try {
      if (step.done) return this.#last(this.#writer.end());
      const value = this.#writer.write(step.value);
      return value === "" ? undefined : { done: false, value };
    } catch (thrown) {
      this.#source.return?.().catch(() => {}); // the last frame reports the chunk's error; the source only has to end
      return this.failed(thrown);
    }
  }

  protected failed(thrown: unknown): Step<string> {
    if (this.#isOver) return ended;
    this.#broken = new BrokenBody(thrown);
    return this.#last(this.#writer.fail(thrown));
  }

  #last(frame: string): Step<string> {
    this.#isOver = true;
    return { done: false, value: frame };
  }
}
