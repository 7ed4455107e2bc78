import { resolve } from "node:path";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { positive, text } from "../../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../../shared/options.ts";
import { openConnection } from "./connection.ts";
import { sqliteLedger } from "./ledger/ledger.ts";
import { sqliteRecords } from "./records/records.ts";
import { migrations } from "./schema.ts";

/** Requests after which sums and counters are written, by default. */
const defaultRollEvery = 2_000;

/** Entries that wait for a disk, some 30 MB of them, by default. */
const defaultMostWaiting = 10_000;

/** What can be set about a store file. */
export interface SqliteStoreOptions {
  /**
   * Requests after which sums by day and counters are written, 2,000 by default. So many entries at most are read again when a
   * process died; none is lost, whatever the number.
   */
  readonly rollEvery?: number | undefined;
  /**
   * Entries of the ledger at most that wait in memory while the disk is full, 10,000 by default. From nine tenths on calls with a key are
   * refused with `store_unavailable`, and begin again once there is room.
   */
  readonly mostWaiting?: number | undefined;
}

/**
 * Records and ledger in one SQLite file, made when it is not there (`:memory:` for none). Several processes may open it at the same
 * time to read, and to change records; one of them may write the ledger. What `append` has confirmed survives `kill -9`. Needs no
 * package: Node brings SQLite. Throws `invalid_configuration` with one sentence when the file cannot be used.
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): Store {
  const checks = { rollEvery: positive, mostWaiting: positive };
  const { rollEvery = defaultRollEvery, mostWaiting = defaultMostWaiting } = checkedOptions(options, checks, {
    of: "sqliteStore",
  });
  if (!text[0](path) || path === "")
    throw new GatewayError("invalid_configuration", "`path` of sqliteStore must be the name of a file.", {
      param: "path",
    });
  const connection = openConnection(path === ":memory:" ? path : resolve(path));
  const ledger = sqliteLedger(connection, { rollEvery, mostWaiting });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    try {
      await ledger.close();
    } finally {
      connection.close();
    }
  };
  return {
    records: sqliteRecords(connection),
    ledger,
    schema: { kind: "sqlite", version: migrations.length },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
