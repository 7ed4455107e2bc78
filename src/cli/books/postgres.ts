import type { Pool, PoolClient } from "pg";
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
  const borrow = () => connect(pool, storeName);
  (await borrow()).release(); // told now where it cannot be reached
  const store = postgresStore({ pool, schema, create: isMade });
  return { store: withPool(store, pool), storeName, storeFile: undefined, alone: aloneIn(borrow) };
}

async function connect(pool: Pool, shown: string): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (thrown) {
    throw unusable("store", shown, thrown);
  }
}

/** Under a lock of a connection's own, which the server lets go with it. */
function aloneIn(borrow: () => Promise<PoolClient>): OpenedStore["alone"] {
  return async (work) => {
    const client = await borrow();
    try {
      await client.query("SELECT pg_advisory_lock(hashtextextended('tollgate/start', 0))");
      return await work();
    } finally {
      client.release(true);
    }
  };
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
