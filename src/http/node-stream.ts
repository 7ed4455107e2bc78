import type { Clock } from "../ports.ts";
import { keepAliveFrame } from "./sse.ts";

/** Where frames go: what is used of a `ServerResponse`. */
export interface Sink {
  /** False when the sink is full; `drain` tells that it takes more. */
  write(text: string): boolean;
  end(text: string): unknown;
  on(event: "drain" | "close", listener: () => void): unknown;
}

/** How silence is bridged. */
export interface KeepAlive {
  readonly clock: Clock;
  /** Milliseconds of silence after which something is sent; 0 for never. */
  readonly keepAliveMs: number;
  /** What is sent then; a comment of an event stream unless given. */
  readonly filler?: string | undefined;
}

/** More than this many characters at once are written without waiting for the batch to end, and other work gets a turn. */
const maxBatch = 65_536;

interface Pump extends KeepAlive {
  readonly sink: Sink;
  readonly frames: AsyncIterator<string>;
  /** Frames of this batch. */
  pending: string;
  isFlushPlanned: boolean;
  isFull: boolean;
  isOver: boolean;
  lastWriteAt: number;
  /** Ends the wait for `drain`. */
  wake: (() => void) | undefined;
  stopTimer: () => void;
}

/**
 * Writes frames as they come, one write per batch: what one read of the upstream brings is pulled in microtasks, before the
 * planned flush runs. A full sink is waited for, with at most one frame pulled ahead. When the sink closes early, the frames are
 * `return`ed, once. Resolves when all is over.
 */
export async function writeFrames(sink: Sink, frames: AsyncIterable<string>, keepAlive: KeepAlive): Promise<void> {
  const pump: Pump = {
    ...keepAlive,
    sink,
    frames: frames[Symbol.asyncIterator](),
    pending: "",
    isFlushPlanned: false,
    isFull: false,
    isOver: false,
    lastWriteAt: keepAlive.clock.now(),
    wake: undefined,
    stopTimer: () => {},
  };
  sink.on("drain", () => resume(pump));
  sink.on("close", () => abandon(pump));
  watchSilence(pump, pump.keepAliveMs);
  await pull(pump);
}

async function pull(pump: Pump): Promise<void> {
  for (;;) {
    const step = await pump.frames.next();
    if (pump.isOver) return;
    if (step.done) break;
    pump.pending += step.value;
    if (pump.pending.length < maxBatch) planFlush(pump);
    else await flushInTurn(pump);
    if (pump.isFull) await roomOf(pump);
    if (pump.isOver) return;
  }
  stop(pump);
  pump.sink.end(pump.pending);
}

function planFlush(pump: Pump): void {
  if (pump.isFlushPlanned) return;
  pump.isFlushPlanned = true;
  process.nextTick(flush, pump);
}

function flush(pump: Pump): void {
  pump.isFlushPlanned = false;
  if (pump.isOver || pump.isFull || pump.pending === "") return;
  const text = pump.pending;
  pump.pending = "";
  pump.lastWriteAt = pump.clock.now();
  pump.isFull = !pump.sink.write(text);
}

function flushInTurn(pump: Pump): Promise<void> {
  flush(pump);
  return new Promise((resolve) => setImmediate(resolve));
}

function roomOf(pump: Pump): Promise<void> {
  return new Promise((resolve) => {
    pump.wake = resolve;
  });
}

function resume(pump: Pump): void {
  pump.isFull = false;
  flush(pump);
  if (!pump.isFull) pump.wake?.();
}

function stop(pump: Pump): void {
  pump.isOver = true;
  pump.stopTimer();
}

/** The sink is gone: ends the frames without waiting for them. */
function abandon(pump: Pump): void {
  if (pump.isOver) return;
  stop(pump);
  pump.frames.return?.().catch(() => {}); // nobody is left to be told
  pump.wake?.();
}

/** Looks again when the present silence would be long enough; a sink that is full is not silent. */
function watchSilence(pump: Pump, ms: number): void {
  if (pump.keepAliveMs <= 0) return;
  pump.stopTimer = pump.clock.after(ms, () => {
    const now = pump.clock.now();
    if (pump.isFull) pump.lastWriteAt = now;
    if (now - pump.lastWriteAt >= pump.keepAliveMs) {
      pump.pending += pump.filler ?? keepAliveFrame;
      flush(pump);
    }
    watchSilence(pump, pump.keepAliveMs - (now - pump.lastWriteAt));
  });
}
