import type { Dimension, DimensionValue } from "../../../../src/engine/ports/ledger.ts";
import type { Filter } from "../../../shared/usage/filter.ts";
import {
  dayLength,
  firstDayOf,
  formatDay,
  formatHour,
  formatMonth,
  monthOf,
  readHour,
} from "../../../shared/usage/ledger-facts.ts";
import type { InternedStrings } from "../rows/interned-strings.ts";
import type { RollupColumn, SqliteRollupTable } from "../schema.ts";

/** SQL and the values for its question marks. */
export interface SqlFragment {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** How a dimension is written in the file. */
interface Column {
  /** Its name in the tables of sums, where it has one. */
  readonly rollup?: RollupColumn;
  /** As an expression over `request AS r`. */
  readonly sql: string;
  /** As an expression over `attempt AS a`, where it is the attempt's own. */
  readonly ofAttempt?: string;
  readonly type: "name" | "number" | "text" | "hour" | "day" | "month";
}

const columns: Readonly<Record<Exclude<Dimension, `metadata.${string}`>, Column>> = {
  hour: { sql: "r.at / 3600000", type: "hour" },
  day: { sql: "r.at / 86400000", type: "day" },
  month: { sql: "r.at / 86400000", type: "month" },
  key_id: { rollup: "key", sql: "r.key", type: "name" },
  project_id: { rollup: "project", sql: "r.project", type: "name" },
  customer_id: { rollup: "customer", sql: "r.customer", type: "name" },
  provider: { rollup: "provider", sql: "r.provider", ofAttempt: "a.provider", type: "name" },
  model: { rollup: "model", sql: "r.model", ofAttempt: "a.model", type: "name" },
  request_type: { rollup: "type", sql: "r.type", type: "name" },
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
export function isInRollup(dimension: Dimension, { period, columns: others }: SqliteRollupTable): boolean {
  if (dimension === "hour") return period === "hour";
  if (dimension === "day") return period !== "month";
  if (dimension === "month") return true;
  const { rollup } = columnOf(dimension);
  return rollup !== undefined && others.includes(rollup);
}

/** What an expression is over: a table of sums, requests, or attempts joined with their requests. */
export type SqliteSource = SqliteRollupTable["period"] | "request" | "attempt";

/** How a day, or a month, is written over a table of sums. */
const periods = { hour: "hour / 24", day: "day", month: "month" } as const;

/** A dimension as SQL; days and months come as days, but for a table of months. */
export function selectDimension(dimension: Dimension, source: SqliteSource): SqlFragment {
  const { rollup, sql, ofAttempt, type } = columnOf(dimension);
  if (source === "hour" && type === "hour") return { sql: "hour", values: [] };
  if (source !== "request" && source !== "attempt") return { sql: rollup ?? periods[source], values: [] };
  if (source === "attempt" && ofAttempt) return { sql: ofAttempt, values: [] };
  if (!dimension.startsWith(tagPrefix)) return { sql, values: [] };
  const tag = dimension.slice(tagPrefix.length);
  return { sql, values: [plainTag.test(tag) ? `$."${tag}"` : tag] };
}

/** Filters as SQL; each begins with ` AND `. */
export function writeFilters(filters: readonly Filter[], names: InternedStrings, source: SqliteSource): SqlFragment {
  const parts = filters.map(([dimension, values]) => writeFilter([dimension, values], names, source));
  return { sql: parts.map(({ sql }) => ` AND ${sql}`).join(""), values: parts.flatMap(({ values }) => values) };
}

function writeFilter([dimension, filters]: Filter, names: InternedStrings, source: SqliteSource): SqlFragment {
  const { type } = columnOf(dimension);
  const column = selectDimension(dimension, source);
  if (type === "month") return writeMonths(column, filters, source);
  const values = filters.map((value) => encode(type, value, names)).filter((value) => value !== null);
  // As the indexes of refused requests are written: SQLite does not recognize them by a bound value.
  if (type === "name" && values.length === 1 && values[0] === 0) return { ...column, sql: `${column.sql} = 0` };
  const hasNull = type !== "name" && filters.includes(null);
  const among = `${column.sql} IN (${values.map(() => "?").join(", ")})`;
  if (!hasNull) return { sql: among, values: [...column.values, ...values] };
  return { sql: `(${among} OR ${column.sql} IS NULL)`, values: [...column.values, ...values, ...column.values] };
}

function encode(type: Column["type"], value: DimensionValue, names: InternedStrings): string | number | null {
  if (type === "name") return names.find(value === null ? null : String(value));
  if (type === "hour") return readHour(value) ?? -1;
  if (type === "day") return readDay(value) ?? -1;
  return value;
}

/** Months as ranges of days, or of months. */
function writeMonths(column: SqlFragment, filters: readonly DimensionValue[], source: SqliteSource): SqlFragment {
  const months = filters.flatMap((month) => {
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
  names: InternedStrings,
  source: SqliteSource,
): (value: unknown) => DimensionValue {
  const { type } = columnOf(dimension);
  if (type === "name") return (value) => names.read(Number(value));
  if (type === "hour") return (value) => formatHour(Number(value));
  if (type === "day") return formatDays();
  if (type === "month") return (value) => formatMonth(source === "month" ? Number(value) : monthOf(Number(value)));
  return (value) => value as string | number | null; // a text or number column
}

/** Writes days; rows of one day come together, so that most have the text of the row before. */
function formatDays(): (value: unknown) => string {
  let day: number | undefined;
  let text = "";
  return (value) => {
    if (value !== day) text = formatDay(Number(value));
    day = Number(value);
    return text;
  };
}
