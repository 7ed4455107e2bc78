import type { Store } from "../../ports/store.ts";
import type { Ports } from "../runtime/ports.ts";
import { drain } from "./drain.ts";
import type { LostCalls } from "./lost-calls.ts";

/** What an engine is made of, to be closed. */
interface Closing {
  readonly ports: Ports;
  /** What former configurations left. */
  readonly retired: readonly ClosablePart[];
  readonly lostCalls: LostCalls | undefined;
  readonly store: Store | undefined;
}

/** A port with connections to close. */
export interface ClosablePart {
  close?(): Promise<void>;
}

/**
 * Drains the requests under way, then closes the providers, the cache and the counters, and the store last: each of them, even if
 * another one fails to close or hangs, with whose error it then rejects.
 */
export async function closePorts({ ports, retired, lostCalls, store }: Closing, graceMs: number): Promise<void> {
  const { providers, tools, transport, cache, accounting } = ports;
  /** Closes those of a kind together; returns the errors. */
  const closeAll = async (whose: string, all: readonly (ClosablePart | undefined)[]): Promise<unknown[]> => {
    const close = async (one: ClosablePart | undefined) => one?.close?.();
    const closed = await Promise.allSettled(all.map((one) => accounting.timeouts.long.wait(close(one), whose)));
    return closed.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  };
  await drain(ports, graceMs);
  const failures = [
    ...(await closeAll("provider", retired)),
    ...(await closeAll("provider", [...providers.values(), ...tools.values()])),
    ...(await closeAll("provider", [transport])),
    ...(await closeAll("cache", [cache?.answers, cache?.semantic?.vectors])),
    ...(await closeAll("counters", [accounting.counters])),
    ...(await closeAll("store", [lostCalls])),
    ...(await closeAll("store", [store])),
  ];
  if (failures.length > 0) throw failures[0];
}
