import type { HttpResponse } from "../message.ts";
import { readWeights } from "./coding.ts";

/** True for a client that asks for CSV: `accept` names it, and gives it no less weight than JSON. */
export function wantsCsv(accept = ""): boolean {
  const weights = readWeights(accept);
  const csv = weights.get("text/csv") ?? 0;
  const json = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*") ?? 0;
  return csv > 0 && csv >= json;
}

/** How a list is written: the names of its columns, and of the file that a browser stores. */
interface CsvForm {
  /** In this order; a field that the rows have in addition comes behind them. */
  readonly columns: readonly string[];
  /** Without the ending. */
  readonly file: string;
}

/** Returns a list as CSV (RFC 4180), one line for each element. Objects and lists within an element are JSON in their cells. */
export function toCsv(rows: readonly unknown[], { columns, file }: CsvForm): HttpResponse {
  const records = rows.map((row) =>
    typeof row === "object" && row !== null ? (row as Readonly<Record<string, unknown>>) : { value: row },
  );
  const present = new Set(records.flatMap((record) => Object.keys(record)));
  const names = [...columns.filter((name) => present.size === 0 || present.has(name)), ...present];
  const distinct = [...new Set(names)];
  const lines = [distinct, ...records.map((record) => distinct.map((name) => record[name]))];
  return {
    status: 200,
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${file}.csv"`,
    },
    body: lines.map((line) => `${line.map(toCell).join(",")}\r\n`).join(""),
  };
}

/** A text that a spreadsheet would run as a formula has an apostrophe in front. */
function toCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
