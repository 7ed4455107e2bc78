import type { Ledger } from "../../../src/ports/ledger.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { readEntries } from "./entries.ts";
import { fold, openOffice, readStandings, recover, tellFollowed, write } from "./office.ts";
import { pruneLedger } from "./prune.ts";
import { createQueue } from "./queue.ts";
import type { Session } from "./session.ts";
import { queryUsage } from "./usage.ts";

/** A ledger that can be closed. */
export interface PostgresLedger extends Ledger {
  close(): Promise<void>;
}

/** The ledger in a schema of PostgreSQL, to which any number of processes may write. */
export function postgresLedger(database: Database, session: Session): PostgresLedger {
  const office = openOffice(database, session);
  const queue = createQueue((load) => write(office, load));
  return {
    append(entries, standings = []) {
      const written = queue.add(entries, standings);
      return office.isFollowed ? written.then(tellFollowed) : written;
    },
    query: (question) => queryUsage(database, question),
    entries: (question) => readEntries(database, question),
    async prune(question) {
      await queue.idle();
      return pruneLedger(database, question);
    },
    recover: (now, isCounting = true) => recover(office, now, isCounting),
    checkpoint() {}, // what counters hold is written with the entries that were charged to them: there is nothing behind
    inspect: (now) => database.transact((ask) => readStandings(database, ask, now)),
    async close() {
      await queue.close();
      await office.folding;
      if (office.unfolded > 0) await fold(office);
    },
  };
}
