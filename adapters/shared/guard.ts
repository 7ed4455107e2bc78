import { GatewayError } from "../../src/errors.ts";

/** Milliseconds for which a server is left alone once it has failed to answer. */
const restMs = 5_000;

/** Asks a server at an instant (milliseconds). Throws, unasked, for some seconds after it failed: those who come then do not wait. */
export type Guard = <Value>(now: number, ask: () => Promise<Value>) => Promise<Value>;

/** What is guarded, as errors call it, and how long it may take. */
interface Guarded {
  readonly what: string;
  readonly patienceMs: number;
  /** Nothing but silence counts as a failure, and it ends with the first late answer: for what nobody can do without. */
  readonly isAwaited?: boolean;
}

/** Asks as long as there are answers. */
export function createGuard({ what, patienceMs, isAwaited = false }: Guarded): Guard {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async <Value>(now: number, ask: () => Promise<Value>) => {
    if (now < restsUntil && now >= restsUntil - patienceMs - restMs) throw unanswered(what); // the clock may have been set back
    const asked = ask();
    return new Promise<Value>((resolve, reject) => {
      const timer = setTimeout(() => {
        restsUntil = now + patienceMs + restMs;
        reject(unanswered(what));
      }, patienceMs);
      const hear = (value: Value): void => {
        clearTimeout(timer);
        if (isAwaited) restsUntil = Number.NEGATIVE_INFINITY;
        resolve(value);
      };
      const fail = (thrown: unknown): void => {
        clearTimeout(timer);
        if (!isAwaited) restsUntil = now + restMs;
        reject(thrown);
      };
      asked.then(hear, fail); // also when nobody waits any more
    });
  };
}

function unanswered(what: string): GatewayError {
  return new GatewayError("store_unavailable", `${what} does not answer.`);
}
