import { sumNames } from "../../../src/metering/usage-sums.ts";

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
  const sums = sumNames.map((name) => `${name} ${name === "latency" ? "double precision" : "bigint"} NOT NULL`);
  return [`${period} integer NOT NULL`, ...named, ...sums].join(", ");
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
export const migrations: readonly string[] = [
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
];
