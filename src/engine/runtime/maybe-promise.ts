/**
 * A value now or later. Adapters that need no I/O answer at once, and callers on the hot path `await` only what is a promise
 * (`value instanceof Promise ? await value : value`), so that memory costs no turn of the event loop.
 */
export type MaybePromise<Value> = Value | Promise<Value>;
