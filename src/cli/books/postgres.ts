import type { Store } from "../../ports/store.ts";
import type { OpenedStore } from "./place.ts";
import { closing, openPool } from "./pool.ts";

/**
 * Opens a store in a PostgreSQL database, whose address may name a schema (`?schema=gateway`); `isMade` makes the schema when it is not
 * there. Throws `invalid_configuration` naming the address where it cannot be reached.
 */
export async function openPostgres(address: string, { isMade }: { readonly isMade: boolean }): Promise<OpenedStore> {
  const { pool, schema, shown } = await openPool({ address, setting: "store" });
  const { postgresStore } = await import("tollgate/stores/postgres");
  const store: Store = postgresStore({ pool, schema, create: isMade });
  return { store: { ...store, close: closing(pool, store) }, storeName: shown, storeFile: undefined };
}
