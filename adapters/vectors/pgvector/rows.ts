import type { Neighbour } from "../../../src/engine/ports/vectors.ts";
import { type Database, longMs } from "../../shared/postgres/database.ts";
import { readText, writeIndexed, writeText } from "../../shared/postgres/texts.ts";
import { findExtension } from "./schema.ts";

/** A vector as its row is written. */
interface NewRow {
  readonly scope: string;
  readonly space: string;
  readonly id: string;
  /** Of length 1, in pgvector's binary form. */
  readonly unit: Buffer;
}

/** The table of vectors. */
interface PgvectorTable {
  put(row: NewRow): Promise<void>;
  nearest(scope: string, space: string, unit: Buffer): Promise<Neighbour | undefined>;
  remove(scope: string, id: string): Promise<boolean>;
  clear(scope: string): Promise<number>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
}

/** Of this many vectors that are put, the first makes the table forget those whose time is over. */
const sweepEvery = 1_000;

/** Vectors of the last `ttl` milliseconds, by the server's clock. */
export function createRows(database: Database, ttl: number): PgvectorTable {
  const table = `${database.schema}.entry`;
  let home: string | undefined;
  const findHome = async () => {
    home ??= await findExtension(database.ask);
    return home;
  };
  const sweep = async () => {
    const text = `DELETE FROM ${table} WHERE put_at < now() - make_interval(secs => $1)`;
    await database.ask({ text, values: [ttl / 1_000], query_timeout: longMs });
  };
  let puts = 0;
  let sweeping = Promise.resolve();
  return {
    async put({ scope, space, id, unit }) {
      const text = `INSERT INTO ${table} (scope, name, space, id, put_at, vector)
        VALUES ($1, $2, $3, $4, now(), $5::${await findHome()}.vector)
        ON CONFLICT (scope, name) DO UPDATE SET (space, put_at, vector) = ROW (excluded.space, excluded.put_at, excluded.vector)`;
      const values = [writeIndexed(scope), writeIndexed(id), writeIndexed(space), writeText(id), unit];
      await database.ask({ text, values });
      if (puts++ % sweepEvery === 0) sweeping = sweep().catch(() => {}); // is tried again after as many
    },
    async nearest(scope, space, unit) {
      const where = await findHome();
      const text = `SELECT id, vector OPERATOR(${where}.<#>) $3::${where}.vector AS distance FROM ${table}
        WHERE scope = $1 AND space = $2 ORDER BY distance LIMIT 1`;
      const { rows } = await database.ask({ text, values: [writeIndexed(scope), writeIndexed(space), unit] });
      const found = rows[0] as { id: string; distance: number } | undefined; // the distance is the product with its sign turned
      return found && { id: readText(found.id), similarity: Math.max(-1, Math.min(1, -found.distance)) };
    },
    async remove(scope, id) {
      const text = `DELETE FROM ${table} WHERE scope = $1 AND name = $2`;
      return (await database.ask({ text, values: [writeIndexed(scope), writeIndexed(id)] })).rowCount === 1;
    },
    async clear(scope) {
      const text = `DELETE FROM ${table} WHERE scope = $1`;
      return (await database.ask({ text, values: [writeIndexed(scope)], query_timeout: longMs })).rowCount ?? 0;
    },
    settled: () => sweeping,
  };
}
