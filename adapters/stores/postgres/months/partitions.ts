import type { Database } from "../../../shared/postgres/database.ts";
import type { SendQuery } from "../../../shared/postgres/pool.ts";
import { dayLength, formatMonth, monthOf } from "../../../shared/usage/ledger-facts.ts";

/**
 * Ids of a month: requests that are written in it are numbered from `month * idsOfMonth` on, with months counted since the epoch. The sequence
 * jumps there when the month begins, so that ids grow in the order in which requests are written, and identify them alone.
 */
export const idsOfMonth = 2 ** 42;

/** The tables that are divided, and the column with the id of the request. */
export const dividedTables = { request: "id", attempt: "request" } as const;
export type DividedTable = keyof typeof dividedTables;

/** Constraint of a table that is not divided yet: its ids are below those of the first month. */
export const olderIds = "ids_before_months";

/** Milliseconds that a change of the tables waits for the transactions that use them; later ones wait behind it. */
const lockMs = 300;
/** Milliseconds between two tries, times how many there were. */
const pauseMs = 100;
const mostTries = 8;

/** PostgreSQL's codes for a lock that was not to be had in time, or only by who waits for it. */
const lockCodes: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/** The partition of a table for a month. */
export function partitionOf(table: DividedTable, month: number): string {
  return `${table}_${formatMonth(month).replace("-", "_")}`;
}

/** The month by the server's clock, which is one for all processes. */
export const clockQuery = `(extract(epoch FROM now()) / ${dayLength / 1_000})::float8`;

/** The month of what {@link clockQuery} gives. */
export function monthOfClock(days: unknown): number {
  return monthOf(Math.floor(Number(days)));
}

export async function isDivided(ask: SendQuery, table: string): Promise<boolean> {
  const text = "SELECT relkind = 'p' AS divided FROM pg_class WHERE oid = to_regclass($1)";
  return ((await ask({ text, values: [table] })).rows[0] as { divided: boolean }).divided;
}

/**
 * A transaction that changes the tables, alone at it. It waits for a moment only for statements that use them, and then makes way: a
 * report may take minutes. False where it found no gap.
 */
export async function changeTables(database: Database, work: (ask: SendQuery) => Promise<void>): Promise<boolean> {
  for (let tries = 1; tries <= mostTries; tries++) {
    try {
      await database.transact(async (ask) => {
        const values = [database.nameFor("months")];
        await ask({ text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", values });
        await ask({ text: `SET LOCAL lock_timeout = ${lockMs}` });
        await work(ask);
      });
      return true;
    } catch (thrown) {
      if (!lockCodes.has(Object(Object(thrown).cause).code)) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, tries * pauseMs));
    }
  }
  return false;
}
