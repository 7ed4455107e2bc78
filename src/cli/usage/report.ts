import { toDollars } from "../../engine/metering/money.ts";
import { ledgerRow, type UsageReportRow } from "../../engine/metering/usage/report.ts";
import { addSums, noSums } from "../../engine/metering/usage/sums.ts";
import type { Dimension, UsageSums } from "../../engine/ports/ledger.ts";
import { alignColumns, writeMoney } from "../../server/terminal/format.ts";
import { distinguish, type RecordNames } from "../records/names.ts";

/** What usage is listed by: the word of the command line, and the ledger's. */
export const dimensions = {
  day: "day",
  month: "month",
  model: "model",
  provider: "provider",
  key: "key_id",
  project: "project_id",
  customer: "customer_id",
  user: "user",
  type: "request_type",
  status: "status",
  reason: "reason",
  cache: "cache",
} as const satisfies Record<string, Dimension>;

/** A word of {@link dimensions}, or a tag of the requests. */
export type DimensionWord = keyof typeof dimensions | `metadata.${string}`;

/** The ledger's dimension that a word of the command line stands for. */
export function dimensionOf(word: DimensionWord): Dimension {
  return isTag(word) ? word : dimensions[word];
}

/** True of `metadata.<name>`. */
export function isTag(word: string): word is `metadata.${string}` {
  return word.startsWith("metadata.") && word.length > "metadata.".length;
}

/** The dimensions whose values are record ids. */
export const recordWords = ["key", "project", "customer"] as const satisfies readonly DimensionWord[];

/** Sums of usage, and what they are listed by. */
export interface Report {
  readonly by: readonly DimensionWord[];
  readonly rows: readonly UsageReportRow[];
  /** Names of records by their ids. */
  readonly names: RecordNames;
  /** Requests are missing in it, because they were forgotten. */
  readonly isPartial: boolean;
}

/** A table with a line of totals. */
export function writeTable({ by, rows, names, isPartial }: Report): string {
  if (rows.length === 0) return isPartial ? "Of what was used, nothing is kept.\n" : "Nothing was used.\n";
  const heading = [
    ...by.map((word) => word.toUpperCase()),
    "REQUESTS",
    "FAILED",
    "TOKENS IN",
    "CACHED",
    "TOKENS OUT",
    "COST",
  ];
  const extras = extraColumns.filter(({ isShown }) => rows.map(ledgerRow).some(isShown));
  const figuresIn = (sums: UsageSums) => [...figuresOf(sums), ...extras.map(({ write }) => write(sums))];
  const apart = distinguish(names);
  const lines = rows.map((row) => [...labelsOf(row, by, apart), ...figuresIn(ledgerRow(row))]);
  const total = noSums();
  for (const row of rows) addSums(total, ledgerRow(row));
  const label = by.map((_, position) => (position === 0 ? "total" : ""));
  const last = [...label, ...figuresIn(total)];
  return alignColumns([
    [...heading, ...extras.map(({ title }) => title)],
    ...lines,
    ...(rows.length > 1 ? [last] : []),
  ]);
}

/** A column that is there where a row has something to say in it. */
interface ExtraColumn {
  readonly title: string;
  isShown(sums: UsageSums): boolean;
  write(sums: UsageSums): string;
}

const fromCache = ({ cache_hits }: UsageSums) => cache_hits > 0;
const extraColumns: readonly ExtraColumn[] = [
  { title: "FROM CACHE", isShown: fromCache, write: ({ cache_hits }) => String(cache_hits) },
  { title: "SAVED", isShown: fromCache, write: ({ saved }) => writeMoney(toDollars(saved)) },
  {
    title: "SAVED TOKENS",
    isShown: fromCache,
    write: ({ saved_prompt_tokens, saved_completion_tokens }) =>
      `${saved_prompt_tokens} in, ${saved_completion_tokens} out`,
  },
  {
    title: "UNPRICED",
    isShown: ({ unpriced }) => unpriced > 0,
    write: ({ unpriced }) => (unpriced === 0 ? "" : `${unpriced} without a price`),
  },
];

/** The rows as JSON: `cost` and `saved` in dollars, with `cost_nano` and `saved_nano` as exact whole nano-dollars; `latency` in milliseconds. */
export function writeJson({ by, rows, names }: Report): string {
  const shown = rows.map(({ group, ...sums }) => {
    const named = namesOf(group, { by, names }).filter(([, name]) => name !== "");
    return { group, ...Object.fromEntries(named), ...sums };
  });
  return `${JSON.stringify(shown, null, 2)}\n`;
}

/** The columns `key_name`, `project_name` and `customer_name` of a row, as far as it is listed by them; empty where no name is known. */
function namesOf(group: UsageReportRow["group"], { by, names }: Pick<Report, "by" | "names">) {
  const named = recordWords.filter((word) => by.includes(word));
  return named.map((word) => [`${word}_name`, names.get(String(group[dimensionOf(word)])) ?? ""] as const);
}

/** Comma-separated values with a heading (RFC 4180); `cost` and `saved` in dollars, exact to the nano-dollar. */
export function writeCsv({ by, rows, names }: Report): string {
  const named = recordWords.filter((word) => by.includes(word));
  const heading = [...by, ...named.map((word) => `${word}_name`), ...columns, "cost", "saved"];
  const lines = rows.map((row) => {
    const labels = by.map((word) => row.group[dimensionOf(word)] ?? "");
    const ofRecords = namesOf(row.group, { by, names }).map(([, name]) => name);
    const sums = columns.map((column) => row[column]);
    return [...labels, ...ofRecords, ...sums, ...[row.cost_nano, row.saved_nano].map(writeDollars)];
  });
  return [heading, ...lines].map((line) => `${line.map((value) => quote(String(value))).join(",")}\r\n`).join("");
}

const columns = [
  "requests",
  "failures",
  "cache_hits",
  "attempts",
  "prompt_tokens",
  "completion_tokens",
  "cached_read_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
  "unpriced",
  "estimated",
  "saved_prompt_tokens",
  "saved_completion_tokens",
] as const satisfies readonly (keyof UsageSums)[];

/** Digits for digits, which a double of large sums has not, and without an exponent, which not every program reads. */
function writeDollars(nano: number): string {
  const digits = String(nano).padStart(10, "0");
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, "");
}

/** Quotes a CSV value if required, and escapes a value that a spreadsheet would read as a formula. */
function quote(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function labelsOf(row: UsageReportRow, by: readonly DimensionWord[], names: RecordNames): string[] {
  return by.map((word) => {
    const value = row.group[dimensionOf(word)];
    if (value === null || value === undefined) return word === "key" ? "(no key)" : "-";
    return (recordWords.some((each) => each === word) ? names.get(String(value)) : undefined) ?? String(value);
  });
}

function figuresOf({
  requests,
  failures,
  prompt_tokens,
  cached_read_tokens,
  completion_tokens,
  cost,
}: UsageSums): string[] {
  const counts = [requests, failures, prompt_tokens, cached_read_tokens, completion_tokens].map(String);
  return [...counts, writeMoney(toDollars(cost))];
}
