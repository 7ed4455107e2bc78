import type { Pool } from "pg";
import type { MigrationStep } from "tollgate/stores/postgres";
import type { Store } from "../../engine/ports/store.ts";
import { replicaOf } from "../config/address.ts";
import type { OpenedStore } from "./location.ts";
import { closing, openPool } from "./pool.ts";

type ReportMigration = ((notice: string) => void) | undefined;

/**
 * Opens a store in a PostgreSQL database. The address may name a schema (`?schema=gateway`); `createIfMissing` creates it. Throws
 * `invalid_configuration` naming the address if the database is unreachable.
 */
export async function openPostgres(
  address: string,
  { createIfMissing, notify }: { readonly createIfMissing: boolean; readonly notify?: ReportMigration },
): Promise<OpenedStore> {
  const { pool, schema, shown } = await openPool({ address, setting: "store" });
  const { postgresStore } = await import("tollgate/stores/postgres");
  const replica = await openReplica(address);
  const onMigrationStep = ({ from, to }: MigrationStep) =>
    notify?.(`bringing the store ${shown} up to date: version ${from + 1} of ${to} …`);
  const store: Store = postgresStore({ pool, replica, schema, create: createIfMissing, onMigrationStep });
  const closeBoth = replica ? closing(replica, store) : store.close;
  return { store: { ...store, close: closing(pool, { close: closeBoth }) }, storeName: shown, storeFile: undefined };
}

/** The pool of the replica that the address of a store names; the gateway goes on without it while it is away. */
async function openReplica(store: string): Promise<Pool | undefined> {
  const address = replicaOf(store);
  if (address === undefined) return undefined;
  const notify = (notice: string) => process.emitWarning(notice);
  return (await openPool({ address, setting: "store", notify })).pool;
}
