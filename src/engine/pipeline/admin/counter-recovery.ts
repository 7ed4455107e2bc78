import type { KeyPermissions } from "../../policy/access.ts";
import { replayCounterValues } from "../../policy/replay.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Counters } from "../../ports/counters.ts";
import type { Ledger, LedgerEntry, Recovered } from "../../ports/ledger.ts";
import { callPort } from "../runtime/port-call.ts";
import type { PortTimeout } from "../runtime/port-timeout.ts";
import type { KeyAccess } from "../runtime/ports.ts";

/** The ports that let counts survive a restart. */
interface Remains {
  readonly ledger: Ledger;
  /** Brings the store up to date, however long that takes. */
  readonly prepare: (() => Promise<void>) | undefined;
  readonly counters: Counters;
  readonly access: KeyAccess;
  readonly clock: Clock;
  /** For each port call. */
  readonly timeouts: PortTimeout;
}

/** Milliseconds after which a failed recovery is begun again, by the next caller that needs it. */
const againAfterMs = 1_000;

/**
 * Begins to set the counters to what they held before the last stop; returns a function to wait for that. A failed recovery is
 * begun again by a call a second later or more: the store may be back, or the gateway that wrote to it gone.
 */
export function beginRecovery(remains: Remains, whenDone: () => void): () => Promise<void> {
  let failedAt: number | undefined;
  const begin = async (): Promise<void> => {
    try {
      await remains.prepare?.();
      await recoverCounters(remains);
      whenDone();
    } catch (thrown) {
      failedAt = remains.clock.now();
      throw thrown;
    }
  };
  let attempt = begin();
  attempt.catch(() => {}); // every caller that needs it gets the error
  return () => {
    if (failedAt === undefined || Math.abs(remains.clock.now() - failedAt) < againAfterMs) return attempt;
    failedAt = undefined;
    attempt = begin();
    return attempt;
  };
}

/** As written last, plus what the ledger holds beyond that. Counters that outlived the process also hold what others charged. */
async function recoverCounters({ ledger, counters, access, clock, timeouts }: Remains): Promise<void> {
  const recover = () => ledger.recover(clock.now(), counters.restore !== undefined);
  const { counterValues, entries } = await callPort("store", recover, timeouts);
  if (!counters.restore) return;
  const known = await accessesOf(entries, access);
  const replayed = replayCounterValues({
    counterValues,
    entries,
    accessOf: (entry) => known.get(nameOwners(entry)),
  });
  await callPort("counters", () => counters.restore?.(replayed, clock.now()), timeouts);
  await callPort("store", () => ledger.append([], replayed), timeouts);
}

async function accessesOf(entries: Recovered["entries"], cache: KeyAccess): Promise<Map<string, KeyPermissions>> {
  const known = new Map<string, KeyPermissions>();
  for (const entry of entries) {
    const name = nameOwners(entry);
    if (entry.key_id !== undefined && !known.has(name)) known.set(name, await cache.ofEntry(entry));
  }
  return known;
}

/** A key may have changed hands between two entries. */
function nameOwners({ key_id, project_id, customer_id }: LedgerEntry): string {
  return JSON.stringify([key_id, project_id, customer_id]);
}
