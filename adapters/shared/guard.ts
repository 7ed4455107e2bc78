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
  return async (now, ask) => {
    if (now < restsUntil && now >= restsUntil - patienceMs - restMs) throw unanswered(what); // the clock may have been set back
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        restsUntil = now + patienceMs + restMs;
        reject(unanswered(what));
      }, patienceMs);
    });
    const asked = ask();
    const wake = () => {
      if (isAwaited) restsUntil = Number.NEGATIVE_INFINITY;
    };
    const rest = () => {
      if (!isAwaited) restsUntil = now + restMs;
    };
    asked.then(wake, rest); // also when nobody waits any more
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function unanswered(what: string): GatewayError {
  return new GatewayError("store_unavailable", `${what} does not answer.`);
}
