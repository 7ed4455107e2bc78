import { setImmediate as nextTurn } from "node:timers/promises";
import type { EntriesPage, EntriesQuestion } from "../../../../src/engine/ports/ledger.ts";
import { readNumberCursor } from "../../../shared/records/cursor.ts";
import { type Filter, readFilters } from "../../../shared/usage/filter.ts";
import type { Connection } from "../connection.ts";
import { isOfRequest } from "../rows/attempt-ids.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import type { LedgerRows, SqliteRequestRow } from "../rows/rows.ts";
import { type SqlFragment, writeFilters } from "../usage/columns.ts";
import { findRequests, selectRequests } from "../usage/ranges.ts";

/** What reading entries needs. */
interface EntrySource {
  readonly connection: Connection;
  readonly names: InternedStrings;
  readonly rows: LedgerRows;
}

/** Requests that are looked at before other work gets its turn. */
const pieceSize = 20_000;
const endOfTime = 8.64e15;

/** Reads entries, newest first; looks back piece by piece until the page is full. */
export async function readEntries(
  { connection, names, rows }: EntrySource,
  question: EntriesQuestion,
): Promise<EntriesPage> {
  const { from = 0, to = endOfTime, limit } = question;
  const filters = readFilters(question.filters);
  const filterCondition = writeCondition(question.id, filters, names);
  const behind = question.after === undefined ? Infinity : readNumberCursor(question.after);
  const found: SqliteRequestRow[] = [];
  for (const range of findRequests(connection, { from, to }).toReversed()) {
    for (let last = Math.min(range.last, behind - 1); last >= range.first && found.length <= limit; last -= pieceSize) {
      const piece = { ...range, first: Math.max(range.first, last - pieceSize + 1), last };
      const requests = selectRequests(piece, filters, names);
      const sql = `SELECT r.* FROM ${requests.from} WHERE ${requests.where} AND r.at >= ? AND r.at < ? AND ${filterCondition.sql}
        ORDER BY r.id DESC LIMIT ?`;
      const values = [...requests.values, from, to, ...filterCondition.values, limit + 1 - found.length];
      found.push(...(connection.prepare(sql).all(...values) as unknown as SqliteRequestRow[]));
      if (found.length <= limit) await nextTurn();
    }
  }
  const shown = found.slice(0, limit);
  const entries = rows.read(shown);
  const next = shown.at(-1)?.id;
  return found.length > limit && next !== undefined ? { entries, next: String(next) } : { entries };
}

function writeCondition(id: string | undefined, filters: readonly Filter[], names: InternedStrings): SqlFragment {
  const { sql, values } = writeFilterCondition(filters, names);
  return id === undefined ? { sql, values } : { sql: `${sql} AND r.event = ?`, values: [...values, id] };
}

/** An entry is wanted when it passes the filters itself, with the target that was asked last, or when one of its attempts does. */
function writeFilterCondition(filters: readonly Filter[], names: InternedStrings): SqlFragment {
  const itself = writeFilters(filters, names, "request");
  if (!filters.some(([dimension]) => dimension === "provider" || dimension === "model"))
    return { sql: `1${itself.sql}`, values: itself.values };
  const attempt = writeFilters(filters, names, "attempt");
  const sql = `((1${itself.sql}) OR EXISTS (SELECT 1 FROM attempt AS a WHERE ${isOfRequest}${attempt.sql}))`;
  return { sql, values: [...itself.values, ...attempt.values] };
}
