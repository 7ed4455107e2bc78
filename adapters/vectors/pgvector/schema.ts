import { refusal } from "../../shared/postgres/migrate.ts";
import type { SendQuery } from "../../shared/postgres/pool.ts";

/** Where the extension `vector` has its type and its operators, as SQL names it; makes the extension where the database lacks it. */
export async function findExtension(ask: SendQuery): Promise<string> {
  const known = await homeOf(ask);
  if (known !== undefined) return known;
  const offered = await ask({ text: "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'" });
  if (offered.rows.length === 0)
    throw refusal("vectors", "its server does not have the extension `vector`; install pgvector there");
  // The extension is the database's: who makes another schema there at the same moment waits, since PostgreSQL fails one of two.
  await ask({ text: "SELECT pg_advisory_xact_lock(hashtextextended('tollgate/extension/vector', 0))" });
  await ask({ text: "CREATE EXTENSION IF NOT EXISTS vector SCHEMA public" });
  return (await homeOf(ask)) ?? "public";
}

async function homeOf(ask: SendQuery): Promise<string | undefined> {
  const { rows } = await ask({
    text: "SELECT quote_ident(n.nspname) AS home FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'",
  });
  return (rows[0] as { home: string } | undefined)?.home;
}

/**
 * What brings the schema from one version to the next; only ever appended to. `name` is the id as an index holds it, `space` has the
 * number of parts before it. A vector stays in its row as long as that fits a page: each is read for each question of its space.
 */
export function migrationsFor(home: string): readonly string[] {
  return [
    `
    CREATE TABLE entry (
      scope text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, space text COLLATE "C" NOT NULL, id text NOT NULL,
      put_at timestamptz NOT NULL, vector ${home}.vector NOT NULL, PRIMARY KEY (scope, name)
    );
    CREATE INDEX entry_space ON entry (scope, space);
    CREATE INDEX entry_put_at ON entry (put_at);
    ALTER TABLE entry ALTER COLUMN vector SET STORAGE MAIN;
    `,
  ];
}
