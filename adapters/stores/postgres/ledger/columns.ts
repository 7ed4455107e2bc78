import type { Dimension, DimensionValue } from "../../../../src/engine/ports/ledger.ts";
import { readText, writeText } from "../../../shared/postgres/texts.ts";
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
import { type RollupTable, type SumColumn, sumColumns } from "../schema.ts";

/** What an expression is over: sums by hour, day or month (`s`), requests (`r`), or attempts (`a`) joined with their requests. */
export type PostgresSource = RollupTable["period"] | "request" | "attempt";

/** Takes a value for a statement, and gives its place in it. */
export type BindValue = (value: unknown) => string;

const tagPrefix = "metadata.";
const day = `(r.at / ${dayLength})::int`;
const hours = {
  hour: "s.hour",
  day: "null",
  month: "null",
  request: "(r.at / 3600000)::int",
  attempt: "(r.at / 3600000)::int",
};
const periods = { hour: "s.hour / 24", day: "s.day", month: "s.month", request: day, attempt: day } as const;

/** True when the sheet can answer what is asked of a dimension. */
export function isInRollup(
  dimension: Dimension,
  { period, columns }: Pick<RollupTable, "period" | "columns">,
): boolean {
  if (dimension === "hour") return period === "hour";
  if (dimension === "day") return period !== "month";
  return dimension === "month" || columns.includes(dimension as SumColumn);
}

/** True when usage is summed by a dimension in advance. */
export function isSummed(dimension: Dimension): boolean {
  return isInRollup(dimension, { period: "hour", columns: sumColumns });
}

/** A dimension as SQL; days and months come as days, but for sums by month, and in what is summed by an empty text is none. */
export function selectDimension(dimension: Dimension, source: PostgresSource, bind: BindValue): string {
  if (dimension === "hour") return hours[source];
  if (dimension === "day" || dimension === "month") return periods[source];
  if (dimension.startsWith(tagPrefix))
    return `r.metadata ->> ${bind(writeText(dimension.slice(tagPrefix.length)))}::text`;
  if (source !== "request" && source !== "attempt") return `s.${dimension}`;
  const isOfAttempt = source === "attempt" && (dimension === "provider" || dimension === "model");
  return `${isOfAttempt ? "a" : "r"}."${dimension}"`;
}

/** Filters as SQL; each begins with ` AND `. */
export function writeFilters(filters: readonly Filter[], source: PostgresSource, bind: BindValue): string {
  return filters.map((filter) => ` AND ${writeFilter(filter, source, bind)}`).join("");
}

function writeFilter([dimension, filters]: Filter, source: PostgresSource, bind: BindValue): string {
  const column = selectDimension(dimension, source, bind);
  if (dimension === "hour") return `${column} = ANY (${bind(filters.flatMap((hour) => readHour(hour) ?? []))}::int[])`;
  if (dimension === "day") return `${column} = ANY (${bind(filters.flatMap(readDay))}::int[])`;
  if (dimension === "month") {
    const months = filters.flatMap((month) => readDay(`${month}-01`)).map((day) => monthOf(day));
    const parts = months.map((month) =>
      source === "month"
        ? `${column} = ${month}`
        : `${column} BETWEEN ${firstDayOf(month)} AND ${firstDayOf(month + 1) - 1}`,
    );
    return `(${["false", ...parts].join(" OR ")})`;
  }
  const values = filters.filter((value) => value !== null);
  const type = dimension === "status" ? "int" : "text";
  if (isSummed(dimension)) {
    const written = filters.map((value) => (value === "" ? emptyMarker : writeText(String(value ?? ""))));
    return `${column} = ANY (${bind(written)}::text[])`;
  }
  const written = type === "int" ? values.filter(isStatus) : values.map((value) => writeText(String(value)));
  const among = `${column} = ANY (${bind(written)}::${type}[])`;
  return filters.includes(null) ? `(${among} OR ${column} IS NULL)` : among;
}

/** No text that is written: an escape that says nothing. */
const emptyMarker = "\u001a";

function isStatus(value: DimensionValue): boolean {
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
}

/** The number of a day that is written `2026-11-20`; of anything else none. */
function readDay(value: DimensionValue): readonly number[] {
  const day = Date.parse(`${value}T00:00:00Z`) / dayLength;
  return Number.isInteger(day) && formatDay(day) === value ? [day] : [];
}

/** The value of a dimension, from what {@link selectDimension} selected. */
export function decodeDimension(dimension: Dimension, source: PostgresSource, value: unknown): DimensionValue {
  if (dimension === "hour") return formatHour(Number(value));
  if (dimension === "day") return formatDay(Number(value));
  if (dimension === "month") return formatMonth(source === "month" ? Number(value) : monthOf(Number(value)));
  if (value === null || (value === "" && isSummed(dimension))) return null;
  return typeof value === "string" ? readText(value) : Number(value);
}
