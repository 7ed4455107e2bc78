import type { Pool } from "pg";
import type { Store } from "../../ports/store.ts";
import { needPackage } from "../installed.ts";
import { readAddress, unusable } from "./address.ts";
import type { OpenedStore } from "./place.ts";

/**
 * Opens a store in a PostgreSQL database, whose address may name a schema (`?schema=gateway`); `isMade` makes the schema when it is not
 * there. Throws `invalid_configuration` naming the address where it cannot be reached.
 */
export async function openPostgres(address: string, { isMade }: { readonly isMade: boolean }): Promise<OpenedStore> {
  needPackage("pg", "store");
  const [pg, { postgresStore }] = await Promise.all([import("pg"), import("tollgate/stores/postgres")]);
  const { url, shown } = readAddress(address);
  const schema = url.searchParams.get("schema") ?? undefined;
  const storeName = schema === undefined ? shown : `${shown}?schema=${schema}`;
  const pool = new pg.Pool({
    connectionString: address,
    application_name: "tollgate",
    connectionTimeoutMillis: 5_000,
  });
  pool.on("error", () => {}); // of an idle connection: who asks next is told, and an error that nobody hears would end the process
  await reach(pool, storeName);
  const store = postgresStore({ pool, schema, create: isMade });
  return { store: withPool(store, pool), storeName, storeFile: undefined };
}

async function reach(pool: Pool, shown: string): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (thrown) {
    throw unusable("store", shown, thrown);
  }
}

/** The store with what was opened for it. */
function withPool(store: Store, pool: Pool): Store {
  const close = async (): Promise<void> => {
    try {
      await store.close();
    } finally {
      await pool.end();
    }
  };
  return { ...store, close };
}
