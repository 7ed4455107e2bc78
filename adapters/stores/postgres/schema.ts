import type { Migration } from "../../shared/postgres/migrate.ts";
import type { SendQuery } from "../../shared/postgres/pool.ts";
import { writeIndexed, writeText } from "../../shared/postgres/texts.ts";
import { orderedCharacters } from "../../shared/records/links.ts";
import { linkName, migratedNameKinds, migratedNames, migratedTexts } from "../../shared/records/migrated-names.ts";
import { firstSumNames, savedTokenColumns } from "../../shared/usage/sum-columns.ts";
import { prepareMonths } from "./months/divide.ts";

/** A column that usage is summed by in advance, beside the hour, day or month; an empty text stands for none. */
export type SumColumn = (typeof sumColumns)[number];

const owners = ["key_id", "project_id", "customer_id"] as const;
const targets = ["provider", "model", "request_type"] as const;
export const sumColumns = [...owners, ...targets] as const;

/** A table of sums: by hour, day or month (a number, since the epoch), and what else it is summed by. */
export interface RollupTable {
  readonly table: string;
  readonly period: "hour" | "day" | "month";
  readonly columns: readonly SumColumn[];
}

/** From the smallest to the largest: a question is answered from the first that has all its columns. */
export const rollupTables: readonly RollupTable[] = [
  { table: "usage_by_target", period: "day", columns: targets },
  { table: "usage_by_target_month", period: "month", columns: targets },
  { table: "usage_by_owner", period: "day", columns: owners },
  { table: "usage_by_owner_month", period: "month", columns: owners },
  { table: "usage_by_all", period: "day", columns: sumColumns },
  { table: "usage_by_all_month", period: "month", columns: sumColumns },
  { table: "usage_by_target_hour", period: "hour", columns: targets },
  { table: "usage_by_all_hour", period: "hour", columns: sumColumns },
];

/** Columns of a table of sums with their types; `latency` is a sum of milliseconds, which need not be whole. */
function sumsBy(period: RollupTable["period"], columns: readonly SumColumn[]): string {
  const named = columns.map((column) => `${column} text COLLATE "C" NOT NULL`);
  const sums = firstSumNames.map((name) => `${name} ${name === "latency" ? "double precision" : "bigint"} NOT NULL`);
  return [`${period} integer NOT NULL`, ...named, ...sums].join(", ");
}

function addSavedTokens(table: string): string {
  const added = savedTokenColumns.map((name) => `ADD COLUMN ${name} bigint NOT NULL DEFAULT 0`);
  return `ALTER TABLE ${table} ${added.join(", ")};`;
}

/** The SHA-256 of a model, as an index allows it: `convert_to` is not immutable, and in a text that becomes bytes a backslash is doubled. */
const modelHash = String.raw`sha256(replace(model, '\', '\\')::bytea)`;

/** What tells a row of a sheet from the others. A model is a caller's word, and may be longer than an index holds: its hash counts. */
export function rollupKeyOf({ period, columns }: RollupTable): string {
  const parts = columns.map((column) => (column === "model" ? modelHash : column));
  return [period, ...parts].join(", ");
}

function createRollupTable(rollupTable: RollupTable): string {
  const { table, period, columns } = rollupTable;
  return `CREATE TABLE ${table} (${sumsBy(period, columns)}); CREATE UNIQUE INDEX ${table}_cell ON ${table} (${rollupKeyOf(rollupTable)});`;
}

/** Bodies with an escape that PostgreSQL reads into no text; they are found by their texts once they are written again. */
const isReadable = String.raw`body !~ '\\u(0000|[dD][89a-fA-F])'`;

/** Fills the texts that records are searched by, and the links that records have since the version that added the texts. */
const describeRecords = Object.entries(migratedTexts)
  .map(([kind, fields]) => {
    const texts = fields.map((field) => `coalesce(body::json #>> '{${field}}', '')`);
    return `INSERT INTO record_text SELECT kind, created_at, id, lower(${texts.join(" || chr(10) || ")}) FROM record WHERE kind = '${kind}' AND ${isReadable};`;
  })
  .join("\n  ");
const linkTenants = ["reseller", "client_id"]
  .map(
    (field) => `INSERT INTO link (kind, field, value, created_at, id)
  SELECT kind, '${field}', value, created_at, id FROM (
    SELECT kind, created_at, id, body::json #>> '{metadata,${field}}' AS value FROM record WHERE kind IN ('customer', 'project', 'key') AND ${isReadable}
  ) AS of_tenants WHERE value IS NOT NULL AND length(value) <= 256;`,
  )
  .join("\n  ");
const linkAudit = ["operation", "outcome"]
  .map(
    (field) => `INSERT INTO link (kind, field, value, created_at, id)
  SELECT kind, '${field}', body::json #>> '{${field}}', created_at, id FROM record WHERE kind = 'audit' AND ${isReadable};`,
  )
  .join("\n  ");

/** Fills the links by which records are found by their names, a thousand records at a time; a damaged record has none. */
async function linkNames(ask: SendQuery): Promise<void> {
  for (const kind of migratedNameKinds) {
    for (let after = ""; ; ) {
      const { rows } = await ask({
        text: "SELECT id, body FROM record WHERE kind = $1 AND id > $2 ORDER BY id LIMIT 1000",
        values: [kind, after],
      });
      const last = rows.at(-1) as { readonly id: string } | undefined;
      if (!last) break;
      after = last.id;
      const links = rows.flatMap((row) => linkName(kind, (row as { readonly body: string }).body) ?? []);
      const column = (field: "id" | "created_at") => links.map((link) => writeText(link[field]));
      await ask({
        text: `INSERT INTO link (kind, field, value, created_at, id)
          SELECT $1, 'owned_name', l.value, l.created_at, l.id FROM unnest($2::text[], $3::text[], $4::text[]) AS l (value, created_at, id)
          ON CONFLICT DO NOTHING`,
        values: [kind, links.map(({ value }) => writeIndexed(value)), column("created_at"), column("id")],
      });
    }
  }
}

const indexRefused = rollupTables
  .filter(({ columns }) => columns === sumColumns)
  .map(({ table, period }) => `CREATE INDEX ${table}_refused ON ${table} (${period}) WHERE provider = '';`)
  .join("\n  ");

/**
 * What brings a schema from one version to the next; only ever appended to. Names without a schema are found by the `search_path` of
 * the transaction.
 *
 * Instants are milliseconds since the epoch, money whole nano-dollars, days are numbered from the epoch. Ids of requests grow in
 * the order in which they were written. `usage_new` holds the sums of what was written lately, one row and more for each write,
 * so that several processes write without waiting for each other; now and then they are added to the other sums. Those by hour
 * hold what the requests of their hours hold, from the hour `mark.hourly` on: not what was pruned. `writer` holds the number of
 * each process's last write, which identifies a repeated one; `writer_epoch` counts the processes that took over writing
 * `standing`, so that a superseded one writes it no more.
 */
export const migrations: readonly Migration[] = [
  `
  CREATE TABLE record (
    kind text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, version integer NOT NULL, created_at text COLLATE "C" NOT NULL,
    hash text COLLATE "C", body text NOT NULL, PRIMARY KEY (kind, id)
  );
  CREATE UNIQUE INDEX record_hash ON record (kind, hash) WHERE hash IS NOT NULL;
  CREATE INDEX record_order ON record (kind, created_at, id);
  CREATE TABLE link (
    kind text COLLATE "C" NOT NULL, field text COLLATE "C" NOT NULL, value text COLLATE "C" NOT NULL,
    created_at text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (kind, field, value, created_at, id)
  );
  CREATE INDEX link_record ON link (kind, id);

  CREATE SEQUENCE request_id CACHE 1;
  CREATE TABLE request (
    id bigint PRIMARY KEY, event_id text NOT NULL, at bigint NOT NULL, request_type text NOT NULL, model_requested text NOT NULL,
    key_id text COLLATE "C" NOT NULL, project_id text NOT NULL, customer_id text NOT NULL, "user" text, metadata jsonb,
    status integer NOT NULL, reason text NOT NULL, latency double precision NOT NULL, time_to_first_token double precision,
    cache text, saved bigint NOT NULL, provider text NOT NULL, model text NOT NULL
  );
  CREATE INDEX request_at ON request (at);
  CREATE INDEX request_key ON request (key_id, id) WHERE key_id <> '';
  CREATE TABLE attempt (
    request bigint NOT NULL, number smallint NOT NULL, at bigint NOT NULL, provider text NOT NULL, model text NOT NULL, credential text,
    status integer NOT NULL, reason text NOT NULL, latency double precision NOT NULL, time_to_first_token double precision,
    prompt_tokens bigint NOT NULL, completion_tokens bigint NOT NULL, cached_read_tokens bigint NOT NULL,
    cached_write_tokens bigint NOT NULL, reasoning_tokens bigint NOT NULL, cost bigint NOT NULL, items json NOT NULL,
    price_version text, is_estimated boolean NOT NULL, is_unpriced boolean NOT NULL, PRIMARY KEY (request, number)
  );
  ${rollupTables.map(createRollupTable).join("\n  ")}
  CREATE TABLE usage_new (${sumsBy("hour", sumColumns)}) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
  CREATE TABLE standing (
    counter text COLLATE "C" PRIMARY KEY, start_at bigint NOT NULL, end_at bigint NOT NULL, used bigint NOT NULL
  );
  CREATE TABLE writer_epoch (number bigint NOT NULL);
  INSERT INTO writer_epoch VALUES (0);
  CREATE TABLE mark (hourly integer NOT NULL);
  INSERT INTO mark VALUES (0);
  CREATE TABLE writer (id uuid PRIMARY KEY, number bigint NOT NULL, at timestamptz NOT NULL DEFAULT now());
  `,
  // Stores of before 0.1.0 name the table `reign`.
  "ALTER TABLE IF EXISTS reign RENAME TO writer_epoch",
  `
  CREATE TABLE record_text (
    kind text COLLATE "C" NOT NULL, created_at text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, text text NOT NULL, PRIMARY KEY (kind, created_at, id)
  );
  CREATE INDEX record_text_record ON record_text (kind, id);
  ${describeRecords}
  ${linkTenants}
  ${linkAudit}
  `,
  // The tokens that hits of the answer cache saved; what was written before says 0.
  ["request", "usage_new", ...rollupTables.map(({ table }) => table)].map(addSavedTokens).join("\n  "),
  // Keys, projects, customers, roles and tokens are found by their names with their owners. Two of one name stay as they are.
  linkNames,
  // The route of a request, where its attempts do not tell it.
  "ALTER TABLE request ADD COLUMN route jsonb",
  // Records are listed in order of their names, whichever version writes them. A body that PostgreSQL cannot read has an empty name.
  `
  CREATE FUNCTION record_name(body text, field text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $body$
  BEGIN
    RETURN coalesce(left(body::pg_catalog.json ->> field, ${orderedCharacters}), '');
  EXCEPTION WHEN others THEN
    RETURN '';
  END $body$;
  ${Object.entries(migratedNames)
    .map(
      ([kind, field]) =>
        `CREATE INDEX record_name_${kind} ON record (record_name(body, '${field}') COLLATE "C", created_at, id) WHERE kind = '${kind}';`,
    )
    .join("\n  ")}
  `,
  // Refused requests are counted by their sums, which have no provider.
  indexRefused,
  // The arguments and the result of a tool call, where its key wants them.
  "ALTER TABLE request ADD COLUMN tool_content json",
  // Requests and attempts are divided by the months in which they were written.
  prepareMonths,
];
