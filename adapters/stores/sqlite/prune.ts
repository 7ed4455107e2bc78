import { setImmediate as nextTurn } from "node:timers/promises";
import { dayOf, firstDayOf, monthOf, sumNames } from "../../shared/usage/facts.ts";
import type { Connection } from "./connection.ts";
import { attemptsPerRequest } from "./rows.ts";
import { type Sheet, sheets } from "./schema.ts";

/** Requests that are removed in one transaction. */
const pieceSize = 2_000;

/** Removes the requests before an instant with their attempts, in short transactions; with `sums`, the sums of the days before it too. */
export async function pruneLedger(
  connection: Connection,
  { before, sums = false }: { readonly before: number; readonly sums?: boolean | undefined },
): Promise<number> {
  const day = dayOf(before);
  const range = connection
    .prepare("SELECT (SELECT min(id) FROM request) AS first, (SELECT max(last) FROM day WHERE day <= ?) AS last")
    .get(day);
  const last = Number(range?.last ?? 0);
  let removed = 0;
  for (let first = Number(range?.first ?? Infinity); first <= last; first += pieceSize) {
    removed += connection.write(() =>
      removePiece(connection, { first, last: Math.min(last, first + pieceSize - 1), before }),
    );
    await nextTurn();
  }
  connection.write(() => {
    connection.prepare("DELETE FROM day WHERE day < ?").run(day);
    if (sums) for (const sheet of sheets) pruneSheet(connection, sheet, day);
  });
  return removed;
}

/** Some requests, and the instant before which they go. */
interface Piece {
  readonly first: number;
  readonly last: number;
  readonly before: number;
}

function removePiece(connection: Connection, { first, last, before }: Piece): number {
  const wanted = "id BETWEEN ? AND ? AND at < ?";
  connection
    .prepare(`DELETE FROM request_key WHERE (key, id) IN (SELECT key, id FROM request WHERE ${wanted})`)
    .run(first, last, before);
  connection
    .prepare(
      `DELETE FROM attempt WHERE id BETWEEN ? AND ? AND id / ${attemptsPerRequest} IN (SELECT id FROM request WHERE ${wanted})`,
    )
    .run(first * attemptsPerRequest, last * attemptsPerRequest + attemptsPerRequest - 1, first, last, before);
  return Number(connection.prepare(`DELETE FROM request WHERE ${wanted}`).run(first, last, before).changes);
}

/** Removes the days before one; the month that it lies in is summed again from the days that are left. */
function pruneSheet(connection: Connection, { table, period, columns }: Sheet, day: number): void {
  if (period === "day") {
    connection.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day);
    return;
  }
  const month = monthOf(day);
  connection.prepare(`DELETE FROM ${table} WHERE month <= ?`).run(month);
  const days = sheets.find((other) => other.period === "day" && String(other.columns) === String(columns));
  const sums = sumNames.map((name) => `sum(${name})`);
  connection
    .prepare(
      `INSERT INTO ${table} SELECT ?, ${[...columns, ...sums].join(", ")} FROM ${days?.table}
       WHERE day >= ? AND day < ? GROUP BY ${columns.join(", ")}`,
    )
    .run(month, Math.max(day, firstDayOf(month)), firstDayOf(month + 1));
}
