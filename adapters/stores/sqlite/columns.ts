import type { Dimension, DimensionValue } from "../../../src/ports/ledger.ts";
import { dayLength, firstDayOf, formatDay, formatMonth, monthOf } from "../../shared/usage/facts.ts";
import type { Filter } from "../../shared/usage/filter.ts";
import type { Names } from "./names.ts";
import type { CellColumn, Sheet } from "./schema.ts";

/** SQL and the values for its question marks. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** How a dimension is written in the file. */
interface Column {
  /** Its name in the tables of sums, where it has one. */
  readonly cell?: CellColumn;
  /** As an expression over `request AS r`. */
  readonly sql: string;
  /** As an expression over `attempt AS a`, where it is the attempt's own. */
  readonly ofAttempt?: string;
  readonly type: "name" | "number" | "text" | "day" | "month";
}

const columns: Readonly<Record<Exclude<Dimension, `metadata.${string}`>, Column>> = {
  day: { sql: "r.at / 86400000", type: "day" },
  month: { sql: "r.at / 86400000", type: "month" },
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

const tagPrefix = "metadata.";

/** Tags that a JSON path can name without further ado; for others `json_each` does it, in four times the time. */
const plainTag = /^[\w .:/-]+$/;

function tagColumn(tag: string): Column {
  const sql = plainTag.test(tag)
    ? "json_extract(r.metadata, ?)"
    : "(SELECT value FROM json_each(r.metadata) WHERE key = ?)";
  return { sql, type: "text" };
}

function columnOf(dimension: Dimension): Column {
  if (dimension.startsWith(tagPrefix)) return tagColumn(dimension.slice(tagPrefix.length));
  return columns[dimension as keyof typeof columns];
}

/** True when the sheet can answer what is asked of a dimension. */
export function isInSheet(dimension: Dimension, { period, columns: others }: Sheet): boolean {
  if (dimension === "day") return period !== "month";
  if (dimension === "month") return true;
  const { cell } = columnOf(dimension);
  return cell !== undefined && others.includes(cell);
}

/** What an expression is over: a table of sums, requests, or attempts joined with their requests. */
export type Source = Sheet["period"] | "request" | "attempt";

/** How a day, or a month, is written over a table of sums. */
const periods = { hour: "hour / 24", day: "day", month: "month" } as const;

/** A dimension as SQL; days and months come as days, but for a table of months. */
export function selectDimension(dimension: Dimension, source: Source): Fragment {
  const { cell, sql, ofAttempt } = columnOf(dimension);
  if (source !== "request" && source !== "attempt") return { sql: cell ?? periods[source], values: [] };
  if (source === "attempt" && ofAttempt) return { sql: ofAttempt, values: [] };
  if (!dimension.startsWith(tagPrefix)) return { sql, values: [] };
  const tag = dimension.slice(tagPrefix.length);
  return { sql, values: [plainTag.test(tag) ? `$."${tag}"` : tag] };
}

/** Filters as SQL; each begins with ` AND `. */
export function writeFilters(filters: readonly Filter[], names: Names, source: Source): Fragment {
  const parts = filters.map(([dimension, values]) => writeFilter([dimension, values], names, source));
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(""), values: parts.flatMap(({ values }) => values) };
}

function writeFilter([dimension, wanted]: Filter, names: Names, source: Source): Fragment {
  const { type } = columnOf(dimension);
  const column = selectDimension(dimension, source);
  if (type === "month") return writeMonths(column, wanted, source);
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

/** Months as ranges of days, or of months. */
function writeMonths(column: Fragment, wanted: readonly DimensionValue[], source: Source): Fragment {
  const months = wanted.flatMap((month) => {
    const first = readDay(`${month}-01`);
    return first === undefined ? [] : [monthOf(first)];
  });
  if (months.length === 0) return { sql: "0", values: [] };
  const sql = months.map(() => `${column.sql} BETWEEN ? AND ?`).join(" OR ");
  const ranges = months.flatMap((month) =>
    source === "month" ? [month, month] : [firstDayOf(month), firstDayOf(month + 1) - 1],
  );
  return { sql: `(${sql})`, values: ranges };
}

/** The number of a day that is written `2026-11-20`. */
function readDay(value: DimensionValue): number | undefined {
  const day = Date.parse(`${value}T00:00:00Z`) / dayLength;
  return Number.isInteger(day) && formatDay(day) === value ? day : undefined;
}

/** Gives dimensions their values from what {@link selectDimension} selected. */
export function decodeDimension(
  dimension: Dimension,
  names: Names,
  source: Source,
): (value: unknown) => DimensionValue {
  const { type } = columnOf(dimension);
  if (type === "name") return (value) => names.read(Number(value));
  if (type === "day") return (value) => formatDay(Number(value));
  if (type === "month") return (value) => formatMonth(source === "month" ? Number(value) : monthOf(Number(value)));
  return (value) => value as string | number | null; // a text or number column
}
