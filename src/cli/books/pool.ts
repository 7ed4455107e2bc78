import type { Pool } from "pg";
import { needPackage } from "../installed.ts";
import { readAddress, unusable } from "./address.ts";

/** A database that was reached. */
interface OpenedPool {
  readonly pool: Pool;
  /** What its address names, if anything (`?schema=gateway`). */
  readonly schema: string | undefined;
  /** The address as it may be shown. */
  readonly shown: string;
}

/** Opens the database of a setting; throws `invalid_configuration` naming both where it cannot be reached. */
export async function openPool(address: string, setting: string): Promise<OpenedPool> {
  needPackage("pg", setting);
  const pg = await import("pg");
  const { url, shown: place } = readAddress(address);
  const schema = url.searchParams.get("schema") ?? undefined;
  const shown = schema === undefined ? place : `${place}?schema=${schema}`;
  const pool = new pg.Pool({
    connectionString: strictly(address),
    application_name: "tollgate",
    connectionTimeoutMillis: 5_000,
  });
  pool.on("error", () => {}); // of an idle connection: who asks next is told, and an error that nobody hears would end the process
  try {
    (await pool.connect()).release();
  } catch (thrown) {
    throw unusable(setting, shown, thrown);
  }
  return { pool, schema, shown };
}

/**
 * What `pg` 8 makes of these modes anyway, with eight lines of a warning that a later version will not: the certificate is verified.
 * `uselibpqcompat=true` leaves them as libpq has them.
 */
function strictly(address: string): string {
  return /[?&]uselibpqcompat=/.test(address)
    ? address
    : address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

/** Closes what was opened over a pool, and then the pool. */
export function closing(pool: Pool, opened: { close?(): Promise<void> }): () => Promise<void> {
  return async () => {
    try {
      await opened.close?.();
    } finally {
      await pool.end();
    }
  };
}
