import type { CoreEngine } from "../../../engine.ts";
import type { Abortable } from "../../../runtime/abortable.ts";
import { toFrame } from "../../response/sse.ts";

/** A reader has to come back after five minutes: until then its key is not looked at again. */
const longestMs = 5 * 60_000;
const tickMs = 1_000;

const changed = toFrame({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

/** A frame for each time that the tools of a server change, until the reader leaves, five minutes have passed or the engine drains. */
export async function* toolChanges(engine: CoreEngine, signal: Abortable): AsyncGenerator<string, undefined> {
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
  }
}
