import { setImmediate as nextTurn } from "node:timers/promises";
import { dayOf, hourLength } from "../../../shared/usage/ledger-facts.ts";
import type { Connection } from "../connection.ts";
import { pruneSums } from "../rollups/rollups.ts";
import { attemptIds, attemptsPerRequest } from "../rows/attempt-ids.ts";
import { rollupTables } from "../schema.ts";

/** Nothing is asked that late: all that there is lies before it, and it lies in a month. */
const endOfTime = Date.UTC(9999, 0);

const hourlyTables = rollupTables.filter(({ period }) => period === "hour").map(({ table }) => table);

/** Requests that are removed in one transaction. */
const pieceSize = 2_000;

/**
 * Removes the requests before an instant with their attempts, in short transactions; with `sums`, the sums of the days before it too.
 * What is appended meanwhile is looked at as well: with the last piece go the days, and none of them may hold requests that stay.
 */
export async function pruneLedger(
  connection: Connection,
  { before, sums = false }: { readonly before: number; readonly sums?: boolean | undefined },
): Promise<number> {
  const instant = Math.max(0, Math.min(before, endOfTime));
  const day = dayOf(instant);
  const range = "SELECT (SELECT min(id) FROM request) AS first, (SELECT max(last) FROM day WHERE day <= ?) AS last";
  let removed = 0;
  for (let next: number | undefined; ; await nextTurn()) {
    const known = connection.prepare(range).get(day);
    const last = Number(known?.last ?? 0);
    const first = next ?? Number(known?.first ?? last + 1);
    const isLast = last - first < pieceSize;
    removed += connection.write(() => {
      forgetHours(connection, Math.ceil(instant / hourLength));
      const inPiece = removePiece(connection, { first, last: Math.min(last, first + pieceSize - 1), before });
      if (isLast) forgetDays(connection, { day, sums });
      return inPiece;
    });
    if (isLast) return removed;
    next = first + pieceSize;
  }
}

/**
 * Sums by hour are of requests that are there. They begin anew after the newest at the latest, however far the future is that is named;
 * who looked at all before the first piece would miss what was appended since.
 */
function forgetHours(connection: Connection, hour: number): void {
  const next = `min(?, newest / ${hourLength} + 1)`;
  connection.prepare(`UPDATE mark SET hourly = max(hourly, ${next})`).run(hour);
  for (const table of ["hour", ...hourlyTables]) {
    connection.prepare(`DELETE FROM ${table} WHERE hour < (SELECT hourly FROM mark)`).run();
  }
}

/** Removes what leads to requests that are gone, and the sums of the days before one where those are not wanted either. */
function forgetDays(connection: Connection, { day, sums }: { readonly day: number; readonly sums: boolean }): void {
  connection.prepare("DELETE FROM day WHERE day < ?").run(day);
  const emptied = "last < coalesce((SELECT min(id) FROM request), 9e15)";
  connection.prepare(`DELETE FROM roll_key WHERE first IN (SELECT first FROM roll WHERE ${emptied})`).run();
  connection.prepare(`DELETE FROM roll WHERE ${emptied}`).run();
  if (sums) pruneSums(connection, day);
}

/** Some requests, and the instant before which they go. */
interface PruneBatch {
  readonly first: number;
  readonly last: number;
  readonly before: number;
}

function removePiece(connection: Connection, { first, last, before }: PruneBatch): number {
  const filters = "id BETWEEN ? AND ? AND at < ?";
  connection
    .prepare(
      `DELETE FROM attempt WHERE id BETWEEN ? AND ? AND id / ${attemptsPerRequest} IN (SELECT id FROM request WHERE ${filters})`,
    )
    .run(...attemptIds(first, last), first, last, before);
  return Number(connection.prepare(`DELETE FROM request WHERE ${filters}`).run(first, last, before).changes);
}
