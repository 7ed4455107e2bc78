import { GatewayError } from "../../../src/errors.ts";

/** Milliseconds for an answer of the server, and for which it is left alone once it has failed to give one. */
const patienceMs = 250;
const restMs = 5_000;

/** Asks a server at an instant; `undefined`, unasked, for some seconds after it failed. */
export type Guard = <Value>(now: number, ask: () => Promise<Value>) => Promise<Value | undefined>;

/** Asks as long as there are answers. The first failure is thrown, so that somebody hears of it; those who come after it do not wait. */
export function createGuard(): Guard {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async (now, ask) => {
    if (now < restsUntil && now >= restsUntil - restMs) return undefined; // the clock may have been set back
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new GatewayError("store_unavailable", "The cache in Redis does not answer.")),
        patienceMs,
      );
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
