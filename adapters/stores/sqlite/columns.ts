import type { Dimension, DimensionValue } from "../../../src/ports/ledger.ts";
import { formatDay, formatMonth } from "../../shared/usage/facts.ts";
import type { Filter } from "../../shared/usage/filter.ts";
import type { Names } from "./names.ts";
import type { CellColumn } from "./schema.ts";

/** SQL and the values for its question marks. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** How a dimension is written in the file. */
interface Column {
  /** Its name in the usage tables, where it has one; also that of the plain column. */
  readonly cell?: CellColumn;
  /** As an expression over `request AS r`. */
  readonly sql: string;
  /** As an expression over `attempt AS a`, where it is the attempt's own. */
  readonly ofAttempt?: string;
  readonly type: "name" | "number" | "text" | "day" | "month";
}

const columns: Readonly<Record<Exclude<Dimension, `metadata.${string}`>, Column>> = {
  day: { cell: "day", sql: "r.at / 86400000", type: "day" },
  month: { cell: "day", sql: "r.at / 86400000", type: "month" },
  key_id: { cell: "key", sql: "r.key", type: "name" },
  project_id: { cell: "project", sql: "r.project", type: "name" },
  customer_id: { cell: "customer", sql: "r.customer", type: "name" },
  provider: { cell: "provider", sql: "r.provider", ofAttempt: "a.provider", type: "name" },
  model: { cell: "model", sql: "r.model", ofAttempt: "a.model", type: "name" },
  request_type: { cell: "type", sql: "r.type", type: "name" },
  user: { sql: "r.user", type: "text" },
  status: { sql: "r.status", type: "number" },
  reason: { sql: "r.reason", type: "name" },
  cache: { sql: "r.cache", type: "name" },
};

const tagColumn: Column = { sql: "(SELECT value FROM json_each(r.metadata) WHERE key = ?)", type: "text" };

function columnOf(dimension: Dimension): Column {
  return dimension.startsWith("metadata.") ? tagColumn : columns[dimension as keyof typeof columns];
}

/** The column of a dimension in the usage tables; `undefined` for one that they are not summed by. */
export function cellOf(dimension: Dimension): CellColumn | undefined {
  return columnOf(dimension).cell;
}

/** What an expression is over: a usage table, requests, or attempts joined with their requests. */
export type Source = "cell" | "request" | "attempt";

/** A dimension as SQL. */
export function selectDimension(dimension: Dimension, source: Source): Fragment {
  const { cell, sql, ofAttempt } = columnOf(dimension);
  if (source === "cell") return { sql: cell ?? "NULL", values: [] };
  const values = dimension.startsWith("metadata.") ? [dimension.slice("metadata.".length)] : [];
  return { sql: source === "attempt" ? (ofAttempt ?? sql) : sql, values };
}

/** Filters as SQL; each begins with ` AND `. */
export function writeFilters(filters: readonly Filter[], names: Names, source: Source): Fragment {
  const parts = filters.map(([dimension, values]) => writeFilter([dimension, values], names, source));
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(""), values: parts.flatMap(({ values }) => values) };
}

function writeFilter([dimension, wanted]: Filter, names: Names, source: Source): Fragment {
  const { type } = columnOf(dimension);
  const column = selectDimension(dimension, source);
  if (type === "month") return writeMonths(column, wanted);
  const values = wanted.map((value) => encode(type, value, names)).filter((value) => value !== null);
  const hasNull = type !== "name" && wanted.includes(null);
  const among = `${column.sql} IN (${values.map(() => "?").join(", ")})`;
  if (!hasNull) return { sql: among, values: [...column.values, ...values] };
  return { sql: `(${among} OR ${column.sql} IS NULL)`, values: [...column.values, ...values, ...column.values] };
}

function encode(type: Column["type"], value: DimensionValue, names: Names): string | number | null {
  if (type === "name") return names.find(value === null ? null : String(value));
  if (type === "day") return readDay(value) ?? -1;
  return value;
}

/** Months as ranges of days: `month` has no column of its own. */
function writeMonths(column: Fragment, months: readonly DimensionValue[]): Fragment {
  const ranges = months.flatMap((month) => {
    const first = readDay(`${month}-01`);
    if (first === undefined || formatMonth(first) !== month) return [];
    const date = new Date(first * 86_400_000);
    return [[first, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 86_400_000 - 1]];
  });
  if (ranges.length === 0) return { sql: "0", values: [] };
  const sql = ranges.map(() => `${column.sql} BETWEEN ? AND ?`).join(" OR ");
  return { sql: `(${sql})`, values: ranges.flat() };
}

/** The number of a day that is written `2026-11-20`. */
function readDay(value: DimensionValue): number | undefined {
  const day = Date.parse(`${value}T00:00:00Z`) / 86_400_000;
  return Number.isInteger(day) && formatDay(day) === value ? day : undefined;
}

/** The value of a dimension from what a column holds. */
export function decodeDimension(dimension: Dimension, value: unknown, names: Names): DimensionValue {
  const { type } = columnOf(dimension);
  if (type === "name") return names.read(Number(value));
  if (type === "day") return formatDay(Number(value));
  if (type === "month") return formatMonth(Number(value));
  return value as string | number | null; // a text or number column
}
