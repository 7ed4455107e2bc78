import type { EntriesPage, EntriesQuestion } from "../../../../src/engine/ports/ledger.ts";
import { type Database, longMs } from "../../../shared/postgres/database.ts";
import { readNumberCursor } from "../../../shared/records/cursor.ts";
import { type Filter, readFilters } from "../../../shared/usage/filter.ts";
import { type BindValue, writeFilters } from "./columns.ts";
import { type PostgresRequestRow, readRequest } from "./rows.ts";

/** Reads entries, newest first. */
export async function readEntries({ ask, schema }: Database, question: EntriesQuestion): Promise<EntriesPage> {
  const { from = -Infinity, to = Infinity, id, limit, after } = question;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const parts = [writeFilterCondition(readFilters(question.filters), schema, bind)];
  if (after !== undefined) parts.push(`r.id < ${bind(readNumberCursor(after))}`);
  if (id !== undefined) parts.push(`r.event_id = ${bind(id)}`);
  if (from > 0) parts.push(`r.at >= ${bind(Math.min(from, 8.64e15))}`);
  if (to < Infinity) parts.push(`r.at < ${bind(Math.max(to, 0))}`);
  const text = `SELECT r.*, (
      SELECT coalesce(json_agg(a ORDER BY a.number), '[]') FROM ${schema}.attempt AS a WHERE a.request = r.id
    ) AS attempts
    FROM ${schema}.request AS r WHERE ${parts.join(" AND ")} ORDER BY r.id DESC LIMIT ${bind(limit + 1)}`;
  const rows = (await ask({ text, values, query_timeout: longMs })).rows as readonly PostgresRequestRow[];
  const shown = rows.slice(0, limit);
  const entries = shown.map(readRequest);
  const last = shown.at(-1);
  return rows.length > limit && last ? { entries, next: String(last.id) } : { entries };
}

/** An entry is wanted when it passes the filters itself, with the target that was asked last, or when one of its attempts does. */
function writeFilterCondition(filters: readonly Filter[], schema: string, bind: BindValue): string {
  const itself = `true${writeFilters(filters, "request", bind)}`;
  if (!filters.some(([dimension]) => dimension === "provider" || dimension === "model")) return itself;
  const attempt = writeFilters(filters, "attempt", bind);
  return `((${itself}) OR EXISTS (SELECT 1 FROM ${schema}.attempt AS a WHERE a.request = r.id${attempt}))`;
}
