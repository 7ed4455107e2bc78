import { type Database, longMs } from "../../../shared/postgres/database.ts";
import type { SendQuery } from "../../../shared/postgres/pool.ts";
import { divideOnline } from "./divide.ts";
import {
  changeTables,
  clockQuery,
  type DividedTable,
  dividedTables,
  idsOfMonth,
  monthOfClock,
  partitionOf,
} from "./partitions.ts";

/** Months whose partitions are there, beginning with this one. */
const monthsAhead = 3;

const tables = Object.keys(dividedTables) as readonly DividedTable[];

/**
 * Makes the partitions of this month and the next two, then lets ids begin with this month's. False where the tables were in use all the
 * time. Until it succeeds, requests are written to the last month that began: no write waits for a partition, or lacks one.
 */
export async function beginMonth(database: Database): Promise<boolean> {
  if (!(await divideOnline(database))) return false;
  const { rows } = await database.ask({
    text: `SELECT ${clockQuery} AS clock, first_month FROM ${database.schema}.mark`,
  });
  const { clock, first_month } = rows[0] as { readonly clock: unknown; readonly first_month: number };
  return enterMonth(database, Math.max(monthOfClock(clock), first_month));
}

/** Begins a month of a ledger that is divided. */
export async function enterMonth(database: Database, month: number): Promise<boolean> {
  const { schema } = database;
  const isMade = await changeTables(database, async (ask) => {
    for (let ahead = 0; ahead < monthsAhead; ahead++)
      for (const table of tables) await makePartition(ask, { schema, table, month: month + ahead });
  });
  return isMade && changeTables(database, (ask) => jump(ask, schema, month * idsOfMonth));
}

/**
 * A sequence does not go back with a transaction: it jumps when the partitions are there for good, and never to where it was. A write that
 * began before knows no new partition, and so is waited for; reports go on, and so does a vacuum of a partition.
 */
async function jump(ask: SendQuery, schema: string, first: number): Promise<void> {
  const { rows } = await ask({ text: `SELECT last_value FROM ${schema}.request_id` });
  if (Number((rows[0] as { last_value: unknown }).last_value) >= first) return;
  await ask({ text: `LOCK TABLE ONLY ${schema}.request, ONLY ${schema}.attempt IN SHARE ROW EXCLUSIVE MODE` });
  await ask({ text: `SELECT setval('${schema}.request_id', ${first}, false)` });
}

/** A table of its own that is attached: made as a partition, it would lock the others. */
async function makePartition(
  ask: SendQuery,
  { schema, table, month }: { readonly schema: string; readonly table: DividedTable; readonly month: number },
): Promise<void> {
  const name = `${schema}.${partitionOf(table, month)}`;
  const { rows } = await ask({ text: "SELECT to_regclass($1) IS NOT NULL AS made", values: [name] });
  if ((rows[0] as { made: boolean }).made) return;
  const [from, to] = [month * idsOfMonth, (month + 1) * idsOfMonth];
  await ask({
    text: `CREATE TABLE ${name} (LIKE ${schema}.${table} INCLUDING DEFAULTS);
      ALTER TABLE ${schema}.${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to})`,
  });
}

/** A month of requests, and the time of its newest one; null without any. */
interface PastMonth {
  /** What follows the names of the tables. */
  readonly suffix: string;
  readonly newest: number | null;
  /** What its first and last id are apart, inclusive. */
  readonly ids: number;
}

/** Ids up to which the requests of a month are counted one by one before it is dropped. */
const mostCounted = 1_000_000;

/**
 * Drops the months of which all requests are older than an instant, and gives how many these were. Nothing is read of a larger one: it
 * counts by its ids, of which a write that failed took some.
 */
export async function dropMonths(database: Database, before: number): Promise<number> {
  let dropped = 0;
  for (const suffix of await listPast(database)) {
    const month = await lookInto(database, suffix);
    if (!isOld(month, before)) continue;
    const { schema } = database;
    const counted = `SELECT count(*) AS count FROM ${schema}.request${suffix}`;
    const count =
      month.ids <= mostCounted ? numberOf(await database.ask({ text: counted, query_timeout: longMs })) : month.ids;
    let isGone = false;
    await changeTables(database, async (ask) => {
      isGone = await dropMonth({ ...database, ask }, { suffix, before });
    });
    if (isGone) dropped += count;
  }
  return dropped;
}

/** Once it has the tables for itself, nothing can be added to the month behind its back. */
async function dropMonth(
  database: Pick<Database, "ask" | "schema">,
  { suffix, before }: { readonly suffix: string; readonly before: number },
): Promise<boolean> {
  const { ask, schema } = database;
  await ask({ text: `LOCK TABLE ONLY ${schema}.request, ONLY ${schema}.attempt IN ACCESS EXCLUSIVE MODE` });
  const there = await ask({
    text: "SELECT to_regclass($1) IS NOT NULL AS there",
    values: [`${schema}.request${suffix}`],
  });
  if (!(there.rows[0] as { there: boolean }).there || !isOld(await lookInto(database, suffix), before)) return false;
  await ask({ text: `DROP TABLE ${schema}.request${suffix}, ${schema}.attempt${suffix}` });
  return true;
}

function isOld({ newest }: PastMonth, before: number): boolean {
  return newest === null || newest < before;
}

/** Partitions that no new id belongs to. */
async function listPast({ ask, schema }: Database): Promise<readonly string[]> {
  const end = "substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''?([0-9]+)''?\\)')::bigint";
  const { rows } = await ask({
    text: `SELECT substr(c.relname, length('request') + 1) AS suffix FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass($1) AND ${end} <= (SELECT last_value FROM ${schema}.request_id) ORDER BY ${end}`,
    values: [`${schema}.request`],
  });
  return (rows as readonly { suffix: string }[]).map(({ suffix }) => suffix);
}

/** By the ends of its indexes, whatever its size. */
async function lookInto({ ask, schema }: Pick<Database, "ask" | "schema">, suffix: string): Promise<PastMonth> {
  const { rows } = await ask({
    text: `SELECT max(at) AS newest, coalesce(max(id) - min(id) + 1, 0) AS ids FROM ${schema}.request${suffix}`,
  });
  const { newest, ids } = rows[0] as { readonly newest: unknown; readonly ids: unknown };
  return { suffix, newest: newest === null ? null : Number(newest), ids: Number(ids) };
}

function numberOf({ rows }: { readonly rows: readonly unknown[] }): number {
  return Number((rows[0] as { count: unknown }).count);
}
