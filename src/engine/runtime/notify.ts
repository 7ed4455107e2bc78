/**
 * Calls a listener whose failure must break nothing: what `notify` throws, or its promise rejects with, goes to `fail`, by
 * default as a process warning. The promise is not awaited.
 */
export function notifySafely(notify: () => unknown, fail: (thrown: unknown) => void = warn): void {
  try {
    const provided = notify();
    if (provided instanceof Promise) provided.catch(fail);
  } catch (thrown) {
    fail(thrown);
  }
}

/** Emits a harmless failure as a process warning. A value that is no error or text is not shown: its content is unknown. */
export function warn(thrown: unknown): void {
  if (thrown instanceof Error || typeof thrown === "string") process.emitWarning(thrown);
  else process.emitWarning(`What was thrown is no error, its type is ${typeof thrown}.`);
}
