import type { CoreEngine } from "../../../engine/engine.ts";
import { GatewayError } from "../../../engine/errors.ts";
import type { Abortable } from "../../../engine/runtime/abortable.ts";
import { toFrame } from "../../response/sse.ts";

/** A reader has to come back after five minutes: until then its key is not looked at again. */
const longestMs = 5 * 60_000;
const tickMs = 1_000;

const changed = toFrame({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

/** Streams that one key may read at once; without keys, all callers together. */
const mostStreams = 16;

/** A stream that is being read. */
interface OpenStream {
  /** Milliseconds since the epoch, when it is over even where its reader never began. */
  readonly endAt: number;
}

/** The streams of each key. */
const openStreams = new WeakMap<CoreEngine, Map<string, Set<OpenStream>>>();

/** Counts a stream for a key. Throws `concurrency_limited` for one too many; the returned function ends it. */
function enter(engine: CoreEngine, key: string): () => void {
  const now = engine.clock.now();
  const keys = openStreams.get(engine) ?? new Map<string, Set<OpenStream>>();
  openStreams.set(engine, keys);
  const streams = new Set([...(keys.get(key) ?? [])].filter(({ endAt }) => endAt > now));
  if (streams.size >= mostStreams) {
    const message = `\`GET /mcp\` has ${mostStreams} open streams of this key: close one, or read those that are there.`;
    throw new GatewayError("concurrency_limited", message);
  }
  const stream = { endAt: now + longestMs };
  streams.add(stream);
  keys.set(key, streams);
  return () => {
    const present = keys.get(key);
    present?.delete(stream);
    if (present?.size === 0) keys.delete(key);
  };
}

/** The stream of a key's reader. Throws `concurrency_limited` where the key has too many. */
export function openToolChanges(engine: CoreEngine, key: string, signal: Abortable): AsyncIterable<string> {
  const leave = enter(engine, key);
  signal.addEventListener("abort", leave);
  return toolChanges(engine, signal, leave);
}

/** A frame for each time that the tools of a server change, until the reader leaves, five minutes have passed or the engine drains. */
async function* toolChanges(
  engine: CoreEngine,
  signal: Abortable,
  leave: () => void,
): AsyncGenerator<string, undefined> {
  const endAt = engine.clock.now() + longestMs;
  let isChanged = false;
  let wake = () => {};
  const note = () => {
    isChanged = true;
    wake();
  };
  const stop = engine.mcp.onToolsChanged(note);
  const isOver = () => signal.aborted || engine.isDraining || engine.clock.now() >= endAt;
  try {
    while (!isOver()) {
      if (isChanged) {
        isChanged = false;
        yield changed;
        continue;
      }
      await new Promise<void>((resolve) => {
        const cancel = engine.clock.after(tickMs, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
  } finally {
    stop();
    leave();
  }
}
