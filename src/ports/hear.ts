import { inspect } from "node:util";

/**
 * Tells somebody whose failing must break nothing: what `tell` throws, or the promise that it gives rejects with, goes to `fail`, by
 * default as a warning of the process. Nobody waits for that promise.
 */
export function hear(tell: () => unknown, fail: (thrown: unknown) => void = warn): void {
  try {
    const told = tell();
    if (told instanceof Promise) told.catch(fail);
  } catch (thrown) {
    fail(thrown);
  }
}

function warn(thrown: unknown): void {
  process.emitWarning(thrown instanceof Error ? thrown : `A listener threw ${inspect(thrown)}.`);
}
