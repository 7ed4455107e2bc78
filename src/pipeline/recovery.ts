import type { Access } from "../policy/access.ts";
import { replayStandings } from "../policy/replay.ts";
import type { Counters } from "../ports/counters.ts";
import type { Ledger, LedgerEntry, Recovered } from "../ports/ledger.ts";
import type { Clock } from "../ports.ts";
import { heed } from "./heed.ts";
import type { AccessBook } from "./ports.ts";

/** What counts outlive a restart with. */
interface Remains {
  readonly ledger: Ledger;
  readonly counters: Counters;
  readonly access: AccessBook;
  readonly clock: Clock;
}

/** Sets the counters to what they held before the last stop: as they were written last, and what the ledger holds beyond that. */
export async function recoverCounters({ ledger, counters, access, clock }: Remains): Promise<void> {
  const { standings, entries } = await heed("store", () => ledger.recover(clock.now()));
  const known = await accessesOf(entries, access);
  const replayed = replayStandings({ standings, entries, accessOf: (entry) => known.get(nameOwners(entry)) });
  await heed("counters", () => counters.restore(replayed, clock.now()));
  await heed("store", () => ledger.append([], replayed));
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
