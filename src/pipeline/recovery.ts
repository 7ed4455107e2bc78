import type { Access } from "../policy/access.ts";
import { replayStandings } from "../policy/replay.ts";
import type { Counters } from "../ports/counters.ts";
import type { Ledger, LedgerEntry, Recovered } from "../ports/ledger.ts";
import type { Clock } from "../ports.ts";
import { heed } from "./heed.ts";
import type { Patience } from "./patience.ts";
import type { AccessBook } from "./ports.ts";

/** What counts outlive a restart with. */
interface Remains {
  readonly ledger: Ledger;
  readonly counters: Counters;
  readonly access: AccessBook;
  readonly clock: Clock;
  /** For each of what is asked. */
  readonly patience: Patience;
}

/** Milliseconds after which a recovery that failed is begun again, by the next who needs it. */
const againAfterMs = 1_000;

/**
 * Begins to set the counters to what they held before the last stop, and gives what to wait for until they do. A recovery that failed is
 * begun again for who asks a second later or more: the store may be there again, or the gateway gone that wrote to it.
 */
export function beginRecovery(remains: Remains, whenDone: () => void): () => Promise<void> {
  let failedAt: number | undefined;
  const begin = async (): Promise<void> => {
    try {
      await recoverCounters(remains);
      whenDone();
    } catch (thrown) {
      failedAt = remains.clock.now();
      throw thrown;
    }
  };
  let attempt = begin();
  attempt.catch(() => {}); // whoever needs it is told
  return () => {
    if (failedAt === undefined || Math.abs(remains.clock.now() - failedAt) < againAfterMs) return attempt;
    failedAt = undefined;
    attempt = begin();
    return attempt;
  };
}

/** As they were written last, and what the ledger holds beyond that. Counters that outlived the process hold what others charged, too. */
async function recoverCounters({ ledger, counters, access, clock, patience }: Remains): Promise<void> {
  const recover = () => ledger.recover(clock.now(), counters.restore !== undefined);
  const { standings, entries } = await heed("store", recover, patience);
  if (!counters.restore) return;
  const known = await accessesOf(entries, access);
  const replayed = replayStandings({ standings, entries, accessOf: (entry) => known.get(nameOwners(entry)) });
  await heed("counters", () => counters.restore?.(replayed, clock.now()), patience);
  await heed("store", () => ledger.append([], replayed), patience);
}

async function accessesOf(entries: Recovered["entries"], book: AccessBook): Promise<Map<string, Access>> {
  const known = new Map<string, Access>();
  for (const entry of entries) {
    const name = nameOwners(entry);
    if (entry.key_id !== undefined && !known.has(name)) known.set(name, await book.ofEntry(entry));
  }
  return known;
}

/** A key may have changed hands between two entries. */
function nameOwners({ key_id, project_id, customer_id }: LedgerEntry): string {
  return JSON.stringify([key_id, project_id, customer_id]);
}
