import type { Store } from "../ports/store.ts";
import { drain } from "./drain.ts";
import type { Ports } from "./ports.ts";

/** Something with connections to let go of. */
interface Closable {
  close?(): Promise<void>;
}

/**
 * Takes leave of the requests under way, then lets go of the providers' sockets, of the cache and the counters, and of the store last: of
 * each of them, also when another one fails to close or does not end, with which it then rejects.
 */
export async function closePorts(ports: Ports, store: Store | undefined, graceMs: number): Promise<void> {
  const { providers, cache, books } = ports;
  /** Those of a kind together; gives what went wrong. */
  const closeAll = async (whose: string, all: readonly (Closable | undefined)[]): Promise<unknown[]> => {
    const close = async (one: Closable | undefined) => one?.close?.();
    const closed = await Promise.allSettled(all.map((one) => books.patience.long.wait(close(one), whose)));
    return closed.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  };
  await drain(ports, graceMs);
  const failures = [
    ...(await closeAll("provider", [...providers.values()])),
    ...(await closeAll("cache", [cache?.answers, cache?.semantic?.vectors])),
    ...(await closeAll("counters", [books.counters])),
    ...(await closeAll("store", [store])),
  ];
  if (failures.length > 0) throw failures[0];
}
