import type { Store } from "../../../src/engine/ports/store.ts";
import { callable, checkedOptions, flag } from "../../shared/options.ts";
import { openDatabase } from "../../shared/postgres/database.ts";
import type { MigrationStep } from "../../shared/postgres/migrate.ts";
import { largerPoolCheck, type PostgresPool, poolCheck, schemaCheck } from "../../shared/postgres/pool.ts";
import { postgresLedger } from "./ledger/ledger.ts";
import { postgresRecords } from "./records.ts";
import { replicaReports } from "./reports.ts";
import { migrations } from "./schema.ts";
import { createSession } from "./session.ts";

export type { MigrationStep } from "../../shared/postgres/migrate.ts";
export type { PostgresAnswer, PostgresClient, PostgresPool, PostgresQuery } from "../../shared/postgres/pool.ts";

/** Where records and the ledger are kept. */
export interface PostgresStoreOptions {
  /**
   * A `Pool` of `pg` (tested with version 8), of two connections or more: the store keeps one for itself. It stays the caller's, who ends
   * it after the store is closed.
   */
  readonly pool: PostgresPool;
  /**
   * A `Pool` of a replica that streams from the database: reports are read there, as far as it has replayed, and from the database while it
   * fails. Limits, keys and calls never depend on it. It stays the caller's, too.
   */
  readonly replica?: PostgresPool | undefined;
  /** The schema of the database that holds the tables, `tollgate` by default; made when it is not there. */
  readonly schema?: string | undefined;
  /** Makes the schema when it is not there; true by default. With false its absence is an error, as of a mistyped address. */
  readonly create?: boolean | undefined;
  /** Called before each step in which tables of an earlier version are brought up to date, which may take minutes on a large ledger. */
  readonly onMigrationStep?: ((step: MigrationStep) => void) | undefined;
}

/**
 * Records and ledger in a PostgreSQL database (tested with 15), which any number of processes and machines share: who changes a key is
 * heard by all, and the bill is one. Connects when it is first used. Several gateways need `counters` that they share as well
 * (`tollgate/counters/redis`); one that counts in its own memory is alone on a schema, and a second one is refused.
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  const checks = {
    pool: largerPoolCheck,
    replica: poolCheck,
    schema: schemaCheck,
    create: flag,
    onMigrationStep: callable,
  };
  const {
    pool,
    replica,
    schema = "tollgate",
    create = true,
    onMigrationStep: onStep,
  } = checkedOptions(options, checks, { of: "postgresStore", needs: ["pool"] });
  const choice = { of: "store", name: schema, isMade: create, migrations: async () => migrations, onStep } as const;
  const database = openDatabase(pool, choice);
  const session = createSession(database, (raw) => records.onNotification(raw));
  const records = postgresRecords(database, session, crypto.randomUUID());
  const ledger = postgresLedger(database, session);
  const copy = replica && openDatabase(replica, { ...choice, isReplica: true });
  const close = async (): Promise<void> => {
    try {
      await ledger.close();
    } finally {
      await session.close();
      copy?.close();
      database.close();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    records,
    ledger,
    ...(copy && { reports: replicaReports(database, copy) }),
    schema: { kind: "postgres", version: migrations.length },
    prepare: database.prepare,
    connections() {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool;
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
