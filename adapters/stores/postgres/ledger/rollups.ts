import { addSums, type Sums, sumNames } from "../../../../src/engine/metering/usage/sums.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { type Database, longMs } from "../../../shared/postgres/database.ts";
import type { SendQuery } from "../../../shared/postgres/pool.ts";
import { writeText } from "../../../shared/postgres/texts.ts";
import { firstDayOf, hourOf, listFacts, monthOf as monthOfDay } from "../../../shared/usage/ledger-facts.ts";
import { type RollupTable, rollupKeyOf, rollupTables, type SumColumn, sumColumns } from "../schema.ts";

/** A row of `usage_new`. */
export type SumRow = Readonly<Record<SumColumn, string>> & Readonly<Sums> & { readonly hour: number };

/** What some entries add to the sums, one row for each combination. */
export function sumEntries(entries: readonly LedgerEntry[]): readonly SumRow[] {
  const rows = new Map<string, SumRow & Sums>();
  for (const entry of entries) {
    const { at, key_id = "", project_id = "", customer_id = "", request_type } = entry;
    const owner = { hour: hourOf(at), key_id, project_id, customer_id, request_type };
    for (const { provider, model, sums } of listFacts(entry)) {
      const columns = { ...owner, provider: provider ?? "", model: model ?? "" };
      const name = JSON.stringify(columns);
      const row = rows.get(name);
      if (row) addSums(row, sums);
      else rows.set(name, { ...mapColumns(columns), hour: owner.hour, ...sums });
    }
  }
  return [...rows.values()];
}

function mapColumns(columns: Readonly<Record<SumColumn, string>>) {
  const written = sumColumns.map((column) => [column, writeText(columns[column])]);
  return Object.fromEntries(written) as Record<SumColumn, string>; // the same columns
}

const added = sumNames.map((name) => `${name} = s.${name} + excluded.${name}`).join(", ");
const summed = sumNames.map((name) => `sum(${name})`).join(", ");

/** The month of a column of days since the epoch, in months since the epoch. */
const monthOf = (day: string) => {
  const date = `(date '1970-01-01' + (${day}))`;
  return `(extract(year FROM ${date})::int - 1970) * 12 + extract(month FROM ${date})::int - 1`;
};

/** Rows to be added, which have all columns of a sheet, and its period as an expression over them. */
interface Added {
  readonly from: string;
  readonly period: string;
}

/** Each period as an expression over hours. */
const ofHours = { hour: "hour", day: "hour / 24", month: monthOf("hour / 24") } as const;

function addTo(schema: string, rollupTable: RollupTable, { from, period }: Added): string {
  const { table, columns } = rollupTable;
  const names = [rollupTable.period, ...columns].join(", ");
  return `INSERT INTO ${schema}.${table} AS s (${names}, ${sumNames.join(", ")})
    SELECT ${[period, ...columns].join(", ")}, ${summed} FROM ${from}
    GROUP BY ${["1", ...columns].join(", ")} ON CONFLICT (${rollupKeyOf(rollupTable)}) DO UPDATE SET ${added}`;
}

const unhurried = (send: SendQuery): SendQuery => {
  return (query) => send({ query_timeout: longMs, ...query });
};

/** Who folds, and who prunes, is alone at it. */
const lock = (name: Database["nameFor"], taking: string) => ({
  text: `SELECT ${taking}(hashtextextended($1, 0)) AS taken`,
  values: [name("sums")],
});

/** Rows of `usage_new` that are moved in one transaction. */
const foldSize = 5_000;

/** Bytes of `usage_new` above which what it no longer needs goes back to the disk: questions read the whole file, empty pages included. */
export const largeBacklog = 16 * 2 ** 20;

/** How much is folded. */
export interface FoldBounds {
  /** Rows of `usage_new` in one transaction, 5,000 by default. */
  readonly size?: number | undefined;
  /** Asked after each transaction. */
  readonly isStopped?: (() => boolean) | undefined;
}

/**
 * Adds the sums of what was written lately to all others, in transactions of bounded size; nothing to do where another process is at it.
 * The place of what was moved is for the next at once: questions read the whole of that table, and the server's own vacuum comes once a
 * minute.
 */
export async function foldSums(database: Database, { size = foldSize, isStopped }: FoldBounds = {}): Promise<void> {
  const { ask, schema } = database;
  for (let batch: FoldedBatch | undefined = { count: size, last: "(0,0)" }; batch && batch.count >= size; ) {
    batch = await foldBatch(database, { after: batch.last ?? "(0,0)", size });
    if (isStopped?.()) break;
  }
  const { rows } = await ask(sizeQuery(schema));
  const isLarge = Number((rows[0] as { size: unknown }).size) > largeBacklog;
  await ask({ text: `VACUUM (TRUNCATE ${isLarge}) ${schema}.usage_new`, query_timeout: longMs });
}

/** Asks for the bytes of `usage_new`. */
export function sizeQuery(schema: string): { readonly text: string } {
  return { text: `SELECT pg_relation_size('${schema}.usage_new') AS size` };
}

/** Rows that were moved, and where the last of them was. */
interface FoldedBatch {
  readonly count: number;
  readonly last: string | null;
}

/** Moves the rows behind a place in the table: each batch passes over what those before it left, and does not read it again. */
async function foldBatch(
  { transact, schema, nameFor }: Database,
  { after, size }: { readonly after: string; readonly size: number },
): Promise<FoldedBatch | undefined> {
  const parts = rollupTables.map(
    (table) => `${table.table} AS (${addTo(schema, table, { from: "moved", period: ofHours[table.period] })})`,
  );
  const places = `SELECT ctid FROM ${schema}.usage_new WHERE ctid > $1::tid LIMIT ${size}`;
  const text = `WITH moved AS (DELETE FROM ${schema}.usage_new WHERE ctid = ANY (ARRAY(${places})) RETURNING *, ctid AS place), ${parts.join(", ")}
    SELECT count(*)::int AS count, max(place)::text AS last FROM moved`;
  return transact(async (send) => {
    const ask = unhurried(send);
    const { rows } = await ask(lock(nameFor, "pg_try_advisory_xact_lock"));
    if (!(rows[0] as { taken: boolean }).taken) return undefined;
    return (await ask({ text, values: [after] })).rows[0] as FoldedBatch;
  });
}

/** Removes the sums of the days before one; the month that it lies in is summed again from what is left. */
export async function pruneSums({ transact, schema, nameFor }: Database, day: number): Promise<void> {
  await transact(async (send) => {
    const ask = unhurried(send);
    await ask(lock(nameFor, "pg_advisory_xact_lock"));
    await ask({ text: `DELETE FROM ${schema}.usage_new WHERE hour < $1`, values: [24 * day] });
    const month = monthOfDay(day);
    for (const rollupTable of rollupTables) {
      const { table, period } = rollupTable;
      if (period === "day") await ask({ text: `DELETE FROM ${schema}.${table} WHERE day < $1`, values: [day] });
      if (period === "month") {
        await ask({ text: `DELETE FROM ${schema}.${table} WHERE month <= $1`, values: [month] });
        const days = `${schema}.${table.replace("_month", "")} WHERE day < ${firstDayOf(month + 1)}`;
        await ask({ text: addTo(schema, rollupTable, { from: days, period: monthOf("day") }) });
      }
    }
  });
}

/**
 * Forgets the sums of the hours before one, from which on they are of requests that are there: no question reads them any more, and
 * {@link sweepHours} removes them. Sums begin anew after the newest hour at the latest, however far the future is that is named.
 */
export async function forgetHours({ transact, schema, nameFor }: Database, hour: number): Promise<void> {
  const newest = ["usage_by_target_hour", "usage_new"].map((table) => `(SELECT max(hour) FROM ${schema}.${table})`);
  await transact(async (send) => {
    const ask = unhurried(send);
    await ask(lock(nameFor, "pg_advisory_xact_lock"));
    await ask({
      text: `UPDATE ${schema}.mark SET hourly = greatest(hourly, least($1::bigint, coalesce(greatest(${newest.join(", ")}) + 1, 0)))`,
      values: [hour],
    });
  });
}

/** Removes the sums by hour that were forgotten, in short transactions. */
export async function sweepHours({ transact, schema, nameFor }: Database): Promise<void> {
  for (const { table } of rollupTables.filter(({ period }) => period === "hour")) {
    const places = `SELECT ctid FROM ${schema}.${table} WHERE hour < (SELECT hourly FROM ${schema}.mark) LIMIT ${foldSize}`;
    const text = `WITH gone AS (DELETE FROM ${schema}.${table} WHERE ctid = ANY (ARRAY(${places})) RETURNING 1) SELECT count(*)::int AS count FROM gone`;
    for (let count = foldSize; count >= foldSize; )
      count = await transact(async (send) => {
        const ask = unhurried(send);
        await ask(lock(nameFor, "pg_advisory_xact_lock"));
        return ((await ask({ text })).rows[0] as { count: number }).count;
      });
  }
}
