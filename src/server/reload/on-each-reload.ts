import type { Terminal } from "../terminal/terminal.ts";

/**
 * Does work at every SIGHUP, one at a time; signals that come meanwhile are one more. `count` is that of the reloads since the start. Returns
 * what stops that, and resolves when the work under way is done.
 */
export function onEachReload(
  { onReload }: Pick<Terminal, "onReload">,
  work: (count: number) => Promise<void>,
): () => Promise<void> {
  let count = 0;
  let isRequested = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (isRequested) {
      isRequested = false;
      count += 1;
      await work(count);
    }
    running = undefined;
  };
  const stop = onReload(() => {
    isRequested = true;
    running ??= run();
  });
  return async () => {
    stop();
    await running;
  };
}
