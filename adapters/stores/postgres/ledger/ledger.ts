import type { Ledger } from "../../../../src/engine/ports/ledger.ts";
import type { Database } from "../../../shared/postgres/database.ts";
import type { StoreSession } from "../session.ts";
import { readEntries } from "./entries.ts";
import { readLastUsed } from "./last-used.ts";
import { pruneLedger } from "./prune.ts";
import { createQueue } from "./queue.ts";
import { queryUsage } from "./usage.ts";
import { fold, openWriter, readLimits, recover, warnSuperseded, write } from "./writer-lease.ts";

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
