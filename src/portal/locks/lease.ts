import { GatewayError } from "../../engine/errors.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredLease } from "../../operations/records/leases.ts";
import { createMutex, type Mutex } from "./mutex.ts";

/** Milliseconds after which an unreleased lease lapses: its process may have died. The clocks of processes differ by less. */
const lapseMs = 60_000;

/** Milliseconds of waiting for another process's lease, and between two looks at it. */
const timeoutMs = 30_000;
const pollMs = 25;

/** The store of leases, and the clock of their lapse. */
interface LeaseStore {
  readonly records: Records;
  readonly clock: Clock;
}

/**
 * Returns a mutex across all processes on one store: work that reads several records and then changes one does not interleave with other
 * work under the same name. Rejects with `store_unavailable` where another process does not release the lease; the lease of a process
 * that died lapses within a minute.
 */
export function createLease({ records, clock }: LeaseStore, name: string): Mutex {
  const queue = createMutex();
  return (work) =>
    queue(async () => {
      const version = await acquire({ records, clock }, name);
      try {
        return await work();
      } finally {
        await release(records, name, version);
      }
    });
}

/** Runs work on one resource one after the other. Work on other resources does not wait. */
export type WithLease = <Result>(resource: string, work: () => Promise<Result>) => Promise<Result>;

/** Returns one {@link createLease} for each resource. A resource without waiting work is dropped. */
export function createLeases(leaseStore: LeaseStore): WithLease {
  const queues = new Map<string, { readonly lease: Mutex; waiting: number }>();
  return async (resource, work) => {
    const entry = queues.get(resource) ?? { lease: createLease(leaseStore, resource), waiting: 0 };
    queues.set(resource, entry);
    entry.waiting++;
    try {
      return await entry.lease(work);
    } finally {
      if (--entry.waiting === 0) queues.delete(resource);
    }
  };
}

/** Resolves with the version of the lease's record. This process holds the lease until it lapses. */
async function acquire({ records, clock }: LeaseStore, name: string): Promise<number> {
  const giveUpAt = clock.now() + timeoutMs;
  for (;;) {
    const now = clock.now();
    const held = await records.get("turn", name);
    if (!held || held.record.lapses_at <= now) {
      const outcome = await records.put("turn", leaseOf(name, now), held?.version ?? 0);
      if (outcome.kind === "stored") return outcome.version;
    }
    if (now >= giveUpAt) throw tooLong();
    await new Promise<void>((resolve) => clock.after(pollMs, resolve));
  }
}

function leaseOf(id: string, now: number): StoredLease {
  const created_at = new Date(now).toISOString();
  return { id, created_at, reseller: null, client_id: null, lapses_at: now + lapseMs };
}

/** Ignores a failure: the work is done, and the lease lapses. */
async function release(records: Records, name: string, version: number): Promise<void> {
  try {
    await records.remove("turn", name, version);
  } catch {}
}

function tooLong(): GatewayError {
  const message = "Another gateway on this store is still making such a change. Try again in a minute.";
  return new GatewayError("store_unavailable", message, { param: "store", retryAfterMs: lapseMs });
}
