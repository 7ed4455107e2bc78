import type { Pool } from "pg";
import { readAddress } from "../config/address.ts";
import { needPackages } from "../needed-packages.ts";
import { type ConfiguredServer, throwUnusable } from "./unusable.ts";

/** A database. */
interface OpenedPool {
  readonly pool: Pool;
  /** What its address names, if anything. */
  readonly schema: string | undefined;
  /** The address as it may be shown. */
  readonly shown: string;
  readonly isReached: boolean;
}

/** Opens the database of a setting; where it cannot be reached, see {@link throwUnusable}. */
export async function openPool(server: ConfiguredServer): Promise<OpenedPool> {
  const { address, setting } = server;
  needPackages(setting, "pg");
  const { default: pg } = await import("pg"); // up to 8.14 it has no named exports
  const { schema, pool: most, shown } = readAddress(address);
  const pool = new pg.Pool({
    connectionString: strictly(address),
    application_name: "tollgate",
    connectionTimeoutMillis: 5_000,
    ...(most === undefined ? {} : { max: most }),
  });
  pool.on("error", () => {}); // of an idle connection: the next query reports it, and an unhandled error would end the process
  const isReached = await reach(pool).catch((thrown) => {
    throwUnusable(server, thrown);
    return false;
  });
  return { pool, schema, shown, isReached };
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

async function reach(pool: Pool): Promise<true> {
  try {
    (await pool.connect()).release();
    return true;
  } catch (thrown) {
    const isLate = /timeout/.test(String(thrown)); // the one error of pg's own that has no code
    throw isLate ? Object.assign(new Error("no answer within 5 s"), { code: "ETIMEDOUT" }) : thrown;
  }
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
