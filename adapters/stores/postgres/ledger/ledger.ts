import type { Ledger } from "../../../../src/engine/ports/ledger.ts";
import { type Database, longMs } from "../../../shared/postgres/database.ts";
import { dayOf, hourLength } from "../../../shared/usage/ledger-facts.ts";
import { beginMonth, dropMonths } from "../months/months.ts";
import type { StoreSession } from "../session.ts";
import { readEntries } from "./entries.ts";
import { readLastUsed } from "./last-used.ts";
import { createQueue } from "./queue.ts";
import { foldSums, forgetHours, pruneSums, sweepHours } from "./rollups.ts";
import { queryUsage } from "./usage.ts";
import { fold, openWriter, readLimits, recover, warnSuperseded, write } from "./writer-lease.ts";

/** Requests that are removed in one transaction. */
const pieceSize = 5_000;

/** Nothing is asked that late. */
const endOfTime = Date.UTC(9999, 0);

/** Removes the requests before an instant with their attempts: whole months at once, others in short transactions; with `sums`, the sums of the days before it too. */
async function pruneLedger(
  database: Database,
  { before, sums = false }: { readonly before: number; readonly sums?: boolean | undefined },
): Promise<number> {
  const instant = Math.max(0, Math.min(before, endOfTime));
  const { ask, schema } = database;
  const firstHour = Math.ceil(instant / hourLength);
  await foldSums(database);
  await forgetHours(database, firstHour); // hourly reports must not count requests that are being removed
  let removed = (await beginMonth(database)) ? await dropMonths(database, instant) : 0;
  for (;;) {
    const { rows } = await ask({
      text: `WITH gone AS (
          DELETE FROM ${schema}.request WHERE id IN (SELECT id FROM ${schema}.request WHERE at < $1 ORDER BY at LIMIT ${pieceSize}) RETURNING id
        ), attempts AS (DELETE FROM ${schema}.attempt AS a USING gone WHERE a.request = gone.id)
        SELECT count(*)::int AS count FROM gone`,
      values: [instant],
      query_timeout: longMs,
    });
    const { count } = rows[0] as { count: number };
    removed += count;
    if (count === 0) break;
  }
  if (removed > 0) await forgetHours(database, firstHour); // again, for requests that arrived and were removed meanwhile
  await sweepHours(database);
  if (sums) await pruneSums(database, dayOf(instant));
  return removed;
}

/** A ledger that can be closed. */
export interface PostgresLedger extends Ledger {
  close(): Promise<void>;
}

/** The ledger in a schema of PostgreSQL, to which any number of processes may write. */
export function postgresLedger(database: Database, session: StoreSession): PostgresLedger {
  const writer = openWriter(database, session);
  const queue = createQueue((load) => write(writer, load));
  return {
    append(entries, counterValues = []) {
      const written = queue.add(entries, counterValues);
      return writer.isSuperseded ? written.then(warnSuperseded) : written;
    },
    query: (question) => queryUsage(database, question),
    entries: (question) => readEntries(database, question),
    lastUsed: (keyIds) => readLastUsed(database, keyIds),
    async prune(question) {
      await queue.idle();
      return pruneLedger(database, question);
    },
    recover: (now, isCounting = true) => recover(writer, now, isCounting),
    checkpoint() {}, // what counters hold is written with the entries that were charged to them: there is nothing behind
    inspect: (now) => database.transact((ask) => readLimits(database, ask, now)),
    backlog: queue.backlog,
    async close() {
      writer.isClosing = true;
      await queue.close();
      await Promise.all([writer.folding, writer.beginning]);
      if (writer.unfolded > 0) await fold(writer);
    },
  };
}
