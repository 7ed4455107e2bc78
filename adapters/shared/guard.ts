import { GatewayError } from "../../src/errors.ts";

/** Milliseconds for which a server is left alone once it has failed to answer. */
const restMs = 5_000;

/** Asks a server at an instant (milliseconds). Throws, unasked, for some seconds after it failed: those who come then do not wait. */
export type Guard = <Value>(now: number, ask: () => Promise<Value>) => Promise<Value>;

/** What is guarded, as errors call it, and how long it may take. */
interface Guarded {
  readonly what: string;
  readonly patienceMs: number;
}

/** Asks as long as there are answers. */
export function createGuard({ what, patienceMs }: Guarded): Guard {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async (now, ask) => {
    if (now < restsUntil && now >= restsUntil - restMs) throw unanswered(what); // the clock may have been set back
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unanswered(what)), patienceMs);
    });
    const asked = ask();
    asked.catch(() => {}); // it may come when nobody waits any more
    try {
      return await Promise.race([asked, late]);
    } catch (thrown) {
      restsUntil = now + restMs;
      throw thrown;
    } finally {
      clearTimeout(timer);
    }
  };
}

function unanswered(what: string): GatewayError {
  return new GatewayError("store_unavailable", `${what} does not answer.`);
}
