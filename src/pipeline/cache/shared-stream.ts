import type { ChatChunk } from "../../api/chat.ts";
import type { GatewayError } from "../../errors.ts";

/** A stream that several callers read, each at its own pace. */
export interface SharedStream {
  /** A reader from the first chunk on. The caller has boarded the flight already; ending the reader leaves it. */
  read(): SharedReader;
  /** True while the source is asked for a chunk. */
  isPulling(): boolean;
  /** What the stream cost whoever asked for it, in nano-dollars; known at its end. */
  cost(): number;
}

/** One caller's way through the stream. */
export interface SharedReader {
  /** The next chunk; `undefined` at the end of a complete stream. Rejects when the stream broke, or the reader was ended. */
  next(): Promise<ChatChunk | undefined>;
  /** Ends this reader alone, unless it is the last. */
  end(error: GatewayError): Promise<void>;
}

/** What is shared. */
export interface SharedSource {
  readonly chunks: AsyncIterator<ChatChunk>;
  /** Tells that a reader is gone; true when it was the last who waited for anything of this. */
  readonly leave: (error: GatewayError) => boolean;
  /** Called once with all chunks of a stream that came to its end; nobody hears of the end before it resolves. Never rejects. */
  readonly onComplete: (chunks: readonly ChatChunk[]) => Promise<void>;
  /** Called once when nothing more will come. */
  readonly onOver: () => void;
  readonly costOf: () => number;
}

/** What has come so far. */
interface Progress {
  readonly told: ChatChunk[];
  pulling: Promise<void> | undefined;
  isOver: boolean;
  failure: unknown;
}

/**
 * Shares a stream without a pump: the reader that is furthest pulls, and what it gets is kept for the others. So the source waits for
 * the fastest reader, and goes on although the caller who asked has left.
 */
export function shareStream(source: SharedSource): SharedStream {
  const progress: Progress = { told: [], pulling: undefined, isOver: false, failure: undefined };
  return {
    read: () => openReader(source, progress),
    isPulling: () => progress.pulling !== undefined,
    cost: source.costOf,
  };
}

function openReader(source: SharedSource, progress: Progress): SharedReader {
  let position = 0;
  let ended: GatewayError | undefined;
  let wake: ((error: GatewayError) => void) | undefined;
  return {
    async next() {
      while (!ended && position >= progress.told.length && !progress.isOver) {
        await new Promise<void>((resolve, reject) => {
          wake = reject;
          pull(source, progress).then(resolve, reject);
        });
      }
      if (ended) throw ended;
      const chunk = progress.told[position];
      if (chunk) position++;
      else if (progress.failure !== undefined) throw progress.failure;
      return chunk;
    },
    async end(error) {
      if (ended) return;
      ended = error;
      const isLast = source.leave(error);
      wake?.(error);
      if (isLast && !progress.isOver) await source.chunks.return?.();
    },
  };
}

/** One step of the source, however many wait for it. */
function pull(source: SharedSource, progress: Progress): Promise<void> {
  progress.pulling ??= source.chunks.next().then(
    (step) => {
      if (step.done) return source.onComplete(progress.told).then(() => finish(source, progress));
      progress.told.push(step.value);
      progress.pulling = undefined;
      return undefined;
    },
    (thrown: unknown) => finish(source, progress, thrown),
  );
  return progress.pulling;
}

function finish(source: SharedSource, progress: Progress, failure?: unknown): void {
  progress.pulling = undefined;
  progress.isOver = true;
  progress.failure = failure;
  source.onOver();
}
