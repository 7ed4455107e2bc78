import type { Access } from "../policy/access.ts";
import { replayStandings } from "../policy/replay.ts";
import type { Counters } from "../ports/counters.ts";
import type { Ledger, Recovered } from "../ports/ledger.ts";
import type { Clock } from "../ports.ts";
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
  const { standings, entries } = await ledger.recover(clock.now());
  const known = await accessesOf(entries, access);
  const replayed = replayStandings({ standings, entries, accessOf: (keyId) => known.get(keyId) });
  await counters.restore(replayed, clock.now());
  await ledger.append([], replayed);
}

async function accessesOf(entries: Recovered["entries"], book: AccessBook): Promise<Map<string, Access>> {
  const known = new Map<string, Access>();
  for (const { key_id, project_id, customer_id } of entries) {
    if (key_id === undefined || known.has(key_id)) continue;
    known.set(key_id, (await book.ofKey(key_id)) ?? (await book.ofGone({ key_id, project_id, customer_id })));
  }
  return known;
}
