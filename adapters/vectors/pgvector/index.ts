import type { VectorIndex } from "../../../src/engine/ports/vectors.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { createBackoffGuard } from "../../shared/backoff-guard.ts";
import { type Checks, checkedOptions, duration, msOf } from "../../shared/options.ts";
import { openDatabase } from "../../shared/postgres/database.ts";
import type { SendQuery } from "../../shared/postgres/pool.ts";
import { type PostgresPool, poolCheck, schemaCheck } from "../../shared/postgres/pool.ts";
import { createRows } from "./rows.ts";
import { findExtension, migrationsFor } from "./schema.ts";
import { toUnit } from "./unit.ts";

export type { PostgresAnswer, PostgresClient, PostgresPool, PostgresQuery } from "../../shared/postgres/pool.ts";

/** Where vectors are kept, and how long. */
export interface PgvectorOptions {
  /** A `Pool` of `pg` (tested with version 8). It stays the caller's, who ends it after the index is closed. */
  readonly pool: PostgresPool;
  /** The schema of the database that holds them, `tollgate_vectors` by default; made when it is not there. Engines with the same one share. */
  readonly schema?: string | undefined;
  /** How long a vector is kept, in milliseconds or as text, a day by default: the longest for which answers are good. */
  readonly ttl?: Duration | undefined;
}

const checks: Checks<PgvectorOptions> = { pool: poolCheck, schema: schemaCheck, ttl: duration };

/** Milliseconds for an answer. */
const timeoutMs = 1_000;
const dayMs = 86_400_000;

/**
 * Vectors in a PostgreSQL database with the extension pgvector (tested with 0.8 on 15 and 18), which all engines that use it share:
 * to be used with answers that they share as well. Every vector of the space is compared, so that the nearest is found, not one of
 * the near; up to 16,000 dimensions. Connects when it is first used. A server that is out of reach costs one call in five seconds a second at most.
 */
export function pgvectorIndex(options: PgvectorOptions): VectorIndex {
  const subject = { of: "pgvectorIndex", needs: ["pool"] } as const;
  const { pool, schema = "tollgate_vectors", ttl } = checkedOptions(options, checks, subject);
  const migrations = async (ask: SendQuery) => migrationsFor(await findExtension(ask));
  const database = openDatabase(pool, { of: "vectors", name: schema, isMade: true, migrations });
  const rows = createRows(database, msOf(ttl, dayMs));
  const guard = createBackoffGuard({ what: "The index in PostgreSQL", timeoutMs });
  const guarded = <Value>(ask: () => Promise<Value>) => guard(performance.now(), ask);
  return {
    async put(scope, { space, id, vector }) {
      const unit = toUnit(vector);
      if (unit) await guarded(() => rows.put({ scope, space: spaceOf(space, vector), id, unit }));
      else await guarded(() => rows.remove(scope, id));
    },
    async nearest(scope, { space, vector, atLeast }) {
      const unit = toUnit(vector);
      const found = unit && (await guarded(() => rows.nearest(scope, spaceOf(space, vector), unit)));
      return found && found.similarity >= atLeast ? found : undefined;
    },
    delete: rows.remove,
    clear: rows.clear,
    async close() {
      await rows.settled();
      database.close();
    },
  };
}

/** Only vectors with as many parts are compared. */
function spaceOf(space: string, { length }: ArrayLike<number>): string {
  return `${length}/${space}`;
}
