import type { Store } from "../../ports/store.ts";
import type { Ports } from "../runtime/ports.ts";
import { drain } from "./drain.ts";

/** A port with connections to close. */
interface Closable {
  close?(): Promise<void>;
}

/**
 * Drains the requests under way, then closes the providers, the cache and the counters, and the store last: each of them, even if
 * another one fails to close or hangs, with whose error it then rejects.
 */
export async function closePorts(ports: Ports, store: Store | undefined, graceMs: number): Promise<void> {
  const { providers, cache, accounting } = ports;
  /** Closes those of a kind together; returns the errors. */
  const closeAll = async (whose: string, all: readonly (Closable | undefined)[]): Promise<unknown[]> => {
    const close = async (one: Closable | undefined) => one?.close?.();
    const closed = await Promise.allSettled(all.map((one) => accounting.timeouts.long.wait(close(one), whose)));
    return closed.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  };
  await drain(ports, graceMs);
  const failures = [
    ...(await closeAll("provider", [...providers.values()])),
    ...(await closeAll("cache", [cache?.answers, cache?.semantic?.vectors])),
    ...(await closeAll("counters", [accounting.counters])),
    ...(await closeAll("store", [store])),
  ];
  if (failures.length > 0) throw failures[0];
}
