import { type PullIterator, pullIteratorOf, type Step, type StepSink } from "../../engine/runtime/pull-iterator.ts";
import type { KeepAliveInterval } from "../response/late-stream.ts";
import { BrokenBody, keepAliveFrame } from "../response/sse.ts";

/** Where frames go: what is used of a `ServerResponse`. */
export interface FrameSink {
  /** True once it was ended, by whomever: nothing may be written any more. */
  readonly writableEnded: boolean;
  /** False when the sink is full; it emits `drain` when it accepts more. */
  write(text: string): boolean;
  end(text: string): unknown;
  /** Writes the text and ends the response as no whole one ends. */
  breakOff(text: string): void;
  on(event: "drain" | "close", listener: () => void): unknown;
}

/** How silence is bridged. */
export interface KeepAlive extends KeepAliveInterval {
  /** What is sent then; a comment of an event stream unless given. */
  readonly filler?: (() => string) | undefined;
}

/** More than this many characters at once are written without waiting for the batch to end, and other work gets a turn. */
const maxBatch = 65_536;

/**
 * Writes frames as they come, one write per batch: what one read of the upstream brings is there before the planned flush runs. A full
 * sink is waited for, with at most one frame pulled ahead. When the sink closes or is ended early, the frames are `return`ed, once.
 * Resolves when all is over; rejects with what the frames or the sink throw. A {@link BrokenBody} breaks the response off.
 */
export function writeFrames(sink: FrameSink, frames: AsyncIterable<string>, keepAlive: KeepAlive): Promise<void> {
  return new Pump(sink, pullIteratorOf(frames), keepAlive).run();
}

/** Who waits for the end. */
interface StreamCompletion {
  resolve(): void;
  reject(thrown: unknown): void;
}

class Pump implements StepSink<string> {
  readonly #sink: FrameSink;
  readonly #frames: PullIterator<string>;
  readonly #keepAlive: KeepAlive;
  #outcome: StreamCompletion | undefined;
  /** Frames of this batch. */
  #pending = "";
  #isFlushPlanned = false;
  /** The sink takes no more until it drains. */
  #isFull = false;
  /** Nothing is pulled until the sink drains. */
  #isHeld = false;
  #isOver = false;
  #lastWriteAt: number;
  #stopTimer = () => {};

  constructor(sink: FrameSink, frames: PullIterator<string>, keepAlive: KeepAlive) {
    this.#sink = sink;
    this.#frames = frames;
    this.#keepAlive = keepAlive;
    this.#lastWriteAt = keepAlive.clock.now();
  }

  run(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#outcome = { resolve, reject };
      this.#sink.on("drain", () => this.#resume());
      this.#sink.on("close", () => this.#abandon());
      this.#watchSilence(this.#keepAlive.keepAliveMs);
      this.#pull();
    });
  }

  take(step: Step<string>): void {
    if (this.#accept(step)) this.#pull();
  }

  fail(thrown: unknown): void {
    if (this.#isOver) return;
    const isUnwritten = thrown instanceof BrokenBody && !this.#sink.writableEnded;
    this.#stop();
    if (isUnwritten) this.#breakOff();
    else this.#outcome?.reject(thrown);
  }

  #breakOff(): void {
    try {
      this.#sink.breakOff(this.#pending);
      this.#outcome?.resolve();
    } catch (thrown) {
      this.#outcome?.reject(thrown);
    }
  }

  readonly #pull = (): void => {
    for (;;) {
      let step: Step<string> | undefined;
      try {
        step = this.#frames.poll(this);
      } catch (thrown) {
        this.fail(thrown);
        return;
      }
      if (!step || !this.#accept(step)) return;
    }
  };

  /** True when the next frame may be pulled now. */
  #accept(step: Step<string>): boolean {
    if (this.#isOver) return false;
    if (step.done) {
      this.#end();
      return false;
    }
    this.#pending += step.value;
    if (this.#isFull) {
      this.#isHeld = true;
      return false;
    }
    if (this.#pending.length < maxBatch) {
      this.#planFlush();
      return true;
    }
    this.#flush();
    this.#isHeld = this.#isFull;
    if (!this.#isFull && !this.#isOver) setImmediate(this.#pull);
    return false;
  }

  #end(): void {
    const isEndedByOthers = this.#sink.writableEnded;
    this.#stop();
    try {
      if (!isEndedByOthers) this.#sink.end(this.#pending);
      this.#outcome?.resolve();
    } catch (thrown) {
      this.#outcome?.reject(thrown);
    }
  }

  #planFlush(): void {
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    process.nextTick(flush, this);
  }

  /** Writes what is there, unless the sink is full. */
  flush(): void {
    this.#isFlushPlanned = false;
    this.#flush();
  }

  #flush(): void {
    if (this.#isOver || this.#isFull || this.#pending === "") return;
    if (this.#sink.writableEnded) {
      this.#abandon();
      return;
    }
    const text = this.#pending;
    this.#pending = "";
    this.#lastWriteAt = this.#keepAlive.clock.now();
    try {
      this.#isFull = !this.#sink.write(text);
    } catch (thrown) {
      // A wrapper of `write` may throw. Nobody else hears of it here, in a tick or in the upstream's callback.
      this.#letGo();
      this.#outcome?.reject(thrown);
    }
  }

  #resume(): void {
    this.#isFull = false;
    this.#flush();
    if (this.#isFull || !this.#isHeld || this.#isOver) return;
    this.#isHeld = false;
    this.#pull();
  }

  #stop(): void {
    this.#isOver = true;
    this.#stopTimer();
  }

  /** The sink is gone: ends the frames without waiting for them. */
  #abandon(): void {
    if (this.#isOver) return;
    this.#letGo();
    this.#outcome?.resolve();
  }

  #letGo(): void {
    this.#stop();
    this.#frames.return?.().catch(() => {}); // no reader is left
  }

  /** Looks again when the present silence would be long enough; a sink that is full is not silent. */
  #watchSilence(ms: number): void {
    const { clock, keepAliveMs, filler } = this.#keepAlive;
    if (keepAliveMs <= 0) return;
    this.#stopTimer = clock.after(ms, () => {
      const now = clock.now();
      if (this.#isFull) this.#lastWriteAt = now;
      if (now - this.#lastWriteAt >= keepAliveMs) {
        this.#pending += filler?.() ?? keepAliveFrame;
        this.#flush();
      }
      this.#watchSilence(keepAliveMs - (now - this.#lastWriteAt));
    });
  }
}

function flush(pump: Pump): void {
  pump.flush();
}
