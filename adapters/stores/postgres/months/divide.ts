import { type Database, longMs } from "../../../shared/postgres/database.ts";
import type { SendQuery } from "../../../shared/postgres/pool.ts";
import {
  changeTables,
  clockQuery,
  type DividedTable,
  dividedTables,
  idsOfMonth,
  isDivided,
  monthOfClock,
  olderIds,
} from "./partitions.ts";

/** Rows of a table that is divided while its schema is brought up to date; a larger one is divided by the gateways, at work. */
const fewRows = 10_000;

const tables = Object.keys(dividedTables) as readonly DividedTable[];

/** Indexes that partitions have, by what follows the name of the table. Those of a table that becomes a partition are taken over. */
const indexes = [
  "CREATE INDEX request_at ON request (at)",
  "CREATE INDEX request_key ON request (key_id, id) WHERE key_id <> ''",
];
const indexNames = ["request_pkey", "request_at", "request_key", "attempt_pkey"];

/**
 * The step of the schema that divides requests and attempts by months. Of a filled ledger it only says which ids its tables end before;
 * {@link divideOnline} checks that while calls go on. Names without a schema are found in this one.
 */
export async function prepareMonths(ask: SendQuery): Promise<void> {
  await ask({ text: "ALTER TABLE mark ADD COLUMN IF NOT EXISTS first_month integer" });
  if (await isDivided(ask, "request")) return;
  const { rows } = await ask({ text: `SELECT ${clockQuery} AS clock` });
  const month = monthOfClock((rows[0] as { clock: unknown }).clock);
  await ask({ text: `UPDATE mark SET first_month = ${month}` });
  for (const table of tables)
    await ask({
      text: `ALTER TABLE ${table} ADD CONSTRAINT ${olderIds} CHECK (${dividedTables[table]} < ${month * idsOfMonth}) NOT VALID`,
    });
  const count = await ask({ text: `SELECT count(*)::int AS rows FROM (SELECT FROM request LIMIT ${fewRows}) AS r` });
  if ((count.rows[0] as { rows: number }).rows >= fewRows) return;
  for (const table of tables) await ask({ text: `ALTER TABLE ${table} VALIDATE CONSTRAINT ${olderIds}` });
  await divide(ask);
}

/**
 * Divides a filled ledger: its tables become the partition before the first month, with their indexes, and no row is moved. Reading them
 * through for their ids stops no writer. False where the tables were in use all the time.
 */
export async function divideOnline(database: Database): Promise<boolean> {
  const { ask, schema } = database;
  if (await isDivided(ask, `${schema}.request`)) return true;
  for (const table of tables)
    await ask({ text: `ALTER TABLE ${schema}.${table} VALIDATE CONSTRAINT ${olderIds}`, query_timeout: longMs });
  return changeTables(database, async (send) => {
    if (await isDivided(send, `${schema}.request`)) return;
    await send({ text: `SET LOCAL search_path TO ${schema}` });
    await send({ text: "LOCK TABLE request, attempt IN ACCESS EXCLUSIVE MODE" });
    await divide(send);
  });
}

/** Ids are known to be below those of the first month, so that nothing is read here. */
async function divide(ask: SendQuery): Promise<void> {
  const { rows } = await ask({ text: "SELECT first_month FROM mark" });
  const end = Number((rows[0] as { first_month: unknown }).first_month) * idsOfMonth;
  const renamed = [
    ...tables.map((table) => `ALTER TABLE ${table} RENAME TO ${table}_before`),
    ...indexNames.map((name) => `ALTER INDEX ${name} RENAME TO ${name.replace("_", "_before_")}`),
  ];
  const made = tables.map(
    (table) =>
      `CREATE TABLE ${table} (LIKE ${table}_before INCLUDING DEFAULTS) PARTITION BY RANGE (${dividedTables[table]})`,
  );
  const keys = ["ALTER TABLE request ADD PRIMARY KEY (id)", "ALTER TABLE attempt ADD PRIMARY KEY (request, number)"];
  const attached = tables.flatMap((table) => [
    `ALTER TABLE ${table} ATTACH PARTITION ${table}_before FOR VALUES FROM (MINVALUE) TO (${end})`,
    `ALTER TABLE ${table}_before DROP CONSTRAINT ${olderIds}`,
  ]);
  await ask({ text: [...renamed, ...made, ...keys, ...indexes, ...attached].join("; ") });
}
