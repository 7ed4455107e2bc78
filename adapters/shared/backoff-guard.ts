import { GatewayError } from "../../src/engine/errors.ts";

/** Milliseconds for which a server is left alone once it has failed to answer. */
const restMs = 5_000;

/** Asks a server at an instant (milliseconds). For some seconds after a failure it throws at once: those callers do not wait. */
export type BackoffGuard = <Value>(now: number, ask: () => Promise<Value>) => Promise<Value>;

/** What is guarded, as errors call it, and how long it may take. */
interface GuardOptions {
  readonly what: string;
  readonly timeoutMs: number;
  /** Nothing but silence counts as a failure, and it ends with the first late answer: for what nobody can do without. */
  readonly isAwaited?: boolean;
}

/** Asks as long as there are answers. */
export function createBackoffGuard({ what, timeoutMs, isAwaited = false }: GuardOptions): BackoffGuard {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async <Value>(now: number, ask: () => Promise<Value>) => {
    if (now < restsUntil && now >= restsUntil - timeoutMs - restMs) throw unanswered(what); // the clock may have been set back
    const requested = ask();
    return new Promise<Value>((resolve, reject) => {
      const timer = setTimeout(() => {
        restsUntil = now + timeoutMs + restMs;
        reject(unanswered(what));
      }, timeoutMs);
      const onNotification = (value: Value): void => {
        clearTimeout(timer);
        if (isAwaited) restsUntil = Number.NEGATIVE_INFINITY;
        resolve(value);
      };
      const fail = (thrown: unknown): void => {
        clearTimeout(timer);
        if (!isAwaited) restsUntil = now + restMs;
        reject(thrown);
      };
      requested.then(onNotification, fail); // also when no caller waits any more
    });
  };
}

function unanswered(what: string): GatewayError {
  return new GatewayError("store_unavailable", `${what} does not answer.`);
}
