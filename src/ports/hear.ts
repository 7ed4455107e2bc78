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

/** Tells a failure that breaks nothing as a warning of the process. What is no error is not shown but for a text: nobody knows what is in it. */
export function warn(thrown: unknown): void {
  if (thrown instanceof Error || typeof thrown === "string") process.emitWarning(thrown);
  else process.emitWarning(`What was thrown is no error, its type is ${typeof thrown}.`);
}
