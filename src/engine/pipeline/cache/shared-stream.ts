import type { ChatChunk } from "../../api/chat.ts";
import type { Usage } from "../../api/usage.ts";
import type { GatewayError } from "../../errors.ts";

/** A stream that several callers read, each at its own pace. */
export interface SharedStream {
  /** A reader from the first chunk on. The caller has joined the flight already; ending the reader leaves it. */
  read(): SharedReader;
  /** True while the source is asked for a chunk. */
  isPulling(): boolean;
  /** What the stream cost its leader, in nano-dollars; known at its end. */
  cost(): number;
  /** The tokens that it took its leader; known at its end. */
  tokens(): Usage | undefined;
}

/** One caller's reader. */
export interface SharedReader {
  /** The next chunk; `undefined` at the end of a complete stream. Rejects when the stream broke, or the reader was ended. */
  next(): Promise<ChatChunk | undefined>;
  /** Ends this reader alone, unless it is the last. */
  end(error: GatewayError): Promise<void>;
}

/** The source of a shared stream. */
export interface SharedSource {
  readonly chunks: AsyncIterator<ChatChunk>;
  /** Reports that a reader has left; true when it was the last caller of this flight. */
  readonly leave: (error: GatewayError) => boolean;
  /** Called once with all chunks of a complete stream; no reader sees the end before it resolves. Never rejects. */
  readonly onComplete: (chunks: readonly ChatChunk[]) => Promise<void>;
  /** Called once when no more chunks will come. */
  readonly onOver: () => void;
  readonly costOf: () => number;
  readonly tokensOf: () => Usage | undefined;
}

/** The chunks so far. */
interface SharedStreamState {
  readonly chunks: ChatChunk[];
  pulling: Promise<void> | undefined;
  isOver: boolean;
  failure: unknown;
}

/**
 * Shares a stream without a pump: the most advanced reader pulls, and its chunks are buffered for the others. So the source waits
 * for the fastest reader, and goes on although the leader's caller has left.
 */
export function shareStream(source: SharedSource): SharedStream {
  const progress: SharedStreamState = { chunks: [], pulling: undefined, isOver: false, failure: undefined };
  return {
    read: () => openReader(source, progress),
    isPulling: () => progress.pulling !== undefined,
    cost: source.costOf,
    tokens: source.tokensOf,
  };
}

function openReader(source: SharedSource, progress: SharedStreamState): SharedReader {
  let position = 0;
  let ended: GatewayError | undefined;
  let wake: ((error: GatewayError) => void) | undefined;
  return {
    async next() {
      while (!ended && position >= progress.chunks.length && !progress.isOver) {
        await new Promise<void>((resolve, reject) => {
          wake = reject;
          pull(source, progress).then(resolve, reject);
        });
      }
      if (ended) throw ended;
      const chunk = progress.chunks[position];
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

/** One step of the source, shared by all who wait for it. */
function pull(source: SharedSource, progress: SharedStreamState): Promise<void> {
  progress.pulling ??= source.chunks.next().then(
    (step) => {
      if (step.done) return source.onComplete(progress.chunks).then(() => finish(source, progress));
      progress.chunks.push(step.value);
      progress.pulling = undefined;
      return undefined;
    },
    (thrown: unknown) => finish(source, progress, thrown),
  );
  return progress.pulling;
}

function finish(source: SharedSource, progress: SharedStreamState, failure?: unknown): void {
  progress.pulling = undefined;
  progress.isOver = true;
  progress.failure = failure;
  source.onOver();
}
