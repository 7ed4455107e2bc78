import type { Store } from "../../ports/store.ts";
import type { OpenedStore } from "./location.ts";
import { closing, openPool } from "./pool.ts";

/**
 * Opens a store in a PostgreSQL database. The address may name a schema (`?schema=gateway`); `createIfMissing` creates it. Throws
 * `invalid_configuration` naming the address if the database is unreachable.
 */
export async function openPostgres(
  address: string,
  { createIfMissing }: { readonly createIfMissing: boolean },
): Promise<OpenedStore> {
  const { pool, schema, shown } = await openPool({ address, setting: "store" });
  const { postgresStore } = await import("tollgate/stores/postgres");
  const store: Store = postgresStore({ pool, schema, create: createIfMissing });
  return { store: { ...store, close: closing(pool, store) }, storeName: shown, storeFile: undefined };
}
