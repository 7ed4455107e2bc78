import { sumNames } from "../../../../src/engine/metering/usage/sums.ts";
import type { CounterValue } from "../../../../src/engine/ports/counters.ts";
import type { LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import type { Database } from "../../../shared/postgres/database.ts";
import { writeText } from "../../../shared/postgres/texts.ts";
import { clockQuery, monthOfClock } from "../months/partitions.ts";
import { sumColumns } from "../schema.ts";
import { sumEntries } from "./rollups.ts";
import { attemptColumns, requestColumns, writeAttempt, writeRequest } from "./rows.ts";

/** What is written at once. */
export interface LedgerBatch {
  /** Who writes, and the number of the write: one that was made already is not made again. */
  readonly writer: string;
  readonly number: number;
  readonly entries: readonly LedgerEntry[];
  readonly counterValues: readonly CounterValue[];
  /** The epoch of the writer that may write counter values. */
  readonly epoch: number;
}

/** What a write shows. */
export interface WrittenBatch {
  /** The epoch is still what it was. */
  readonly isCurrent: boolean;
  /** Bytes of the sums that no process has folded yet. */
  readonly backlog: number;
  /** By the server's clock. */
  readonly month: number;
}

/** Milliseconds for a write; after that it is sent again, over another connection. */
const writeMs = 5_000;

/**
 * Writes a batch in one statement, and so in one transaction and one way to the server and back. Resolves to whether the epoch is still
 * what it was; if not, entries are written and counter values are not.
 */
export async function writeBatch(database: Database, batch: LedgerBatch): Promise<WrittenBatch> {
  const { entries, counterValues } = batch;
  const attempts = entries.flatMap(({ attempts }, request) =>
    attempts.map((attempt, number) => ({ ...writeAttempt(attempt), request, number })),
  );
  const { rows } = await database.ask({
    name: `tollgate_${database.schema}_append`,
    text: appendText(database.schema),
    values: [
      batch.writer,
      batch.number,
      batch.epoch,
      JSON.stringify(entries.map(writeRequest)),
      JSON.stringify(attempts),
      JSON.stringify(sumEntries(entries)),
      JSON.stringify(
        counterValues.map(({ counter, start, end, used }) => ({ counter: writeText(counter), start, end, used })),
      ),
    ],
    query_timeout: writeMs,
  });
  const { isCurrent, backlog, clock } = rows[0] as Record<"isCurrent" | "backlog" | "clock", unknown>;
  return { isCurrent: isCurrent === true, backlog: Number(backlog), month: monthOfClock(clock) };
}

const quote = (names: readonly string[], prefix = "") => names.map((name) => `${prefix}"${name}"`).join(", ");
const typed = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(", ");

const requestNames = Object.keys(requestColumns);
const attemptNames = Object.keys(attemptColumns);
const sumRowColumns = {
  hour: "integer",
  ...Object.fromEntries(sumColumns.map((name) => [name, "text"])),
  ...Object.fromEntries(sumNames.map((name) => [name, name === "latency" ? "double precision" : "bigint"])),
};

/** Everything depends on `gate`, which is empty where the write was made before. */
function appendText(schema: string): string {
  return `
    WITH gate AS (
      INSERT INTO ${schema}.writer AS w (id, number) VALUES ($1, $2)
      ON CONFLICT (id) DO UPDATE SET number = excluded.number, at = excluded.at WHERE w.number < excluded.number
      RETURNING 1
    ), numbered AS MATERIALIZED (
      SELECT nextval('${schema}.request_id') AS id, place - 1 AS place, entry
      FROM gate, json_array_elements($4::json) WITH ORDINALITY AS e (entry, place)
    ), requests AS (
      INSERT INTO ${schema}.request (id, ${quote(requestNames)})
      SELECT n.id, ${quote(requestNames, "r.")} FROM numbered AS n, json_to_record(n.entry) AS r (${typed(requestColumns)})
    ), attempts AS (
      INSERT INTO ${schema}.attempt (request, number, ${quote(attemptNames)})
      SELECT n.id, a.number, ${quote(attemptNames, "a.")}
      FROM json_to_recordset($5::json) AS a (request integer, number smallint, ${typed(attemptColumns)})
      JOIN numbered AS n ON n.place = a.request
    ), sums AS (
      INSERT INTO ${schema}.usage_new (${quote(Object.keys(sumRowColumns))})
      SELECT ${quote(Object.keys(sumRowColumns), "s.")} FROM gate, json_to_recordset($6::json) AS s (${typed(sumRowColumns)})
    ), standings AS (
      INSERT INTO ${schema}.standing AS s (counter, start_at, end_at, used)
      SELECT c.counter, c.start, c."end", c.used
      FROM gate, ${schema}.writer_epoch AS r, json_to_recordset($7::json) AS c (counter text, start bigint, "end" bigint, used bigint)
      WHERE r.number = $3
      ON CONFLICT (counter) DO UPDATE SET start_at = excluded.start_at, end_at = excluded.end_at, used = excluded.used
      WHERE excluded.start_at >= s.start_at
    )
    SELECT number = $3 AS "isCurrent", pg_relation_size('${schema}.usage_new') AS backlog, ${clockQuery} AS clock FROM ${schema}.writer_epoch`;
}
