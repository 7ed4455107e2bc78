import type { UsageReportAttempt, UsageReportEntry } from "../../engine/metering/usage/report.ts";

/** Types of columns, as Parquet names them. */
export type ColumnType = "STRING" | "INT32" | "INT64" | "DOUBLE" | "BOOLEAN" | "TIMESTAMP" | "JSON";

/** A column of a table: its name, its type, and its value in a row; `undefined` where the row has none. */
export interface ExportColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  read(row: Row): unknown;
}

/** A target of a request. */
export interface AttemptRow {
  readonly entry: UsageReportEntry;
  readonly attempt: UsageReportAttempt;
  /** From 1, in the order in which they ended. */
  readonly number: number;
}

function column<Row>(name: string, type: ColumnType, read: (row: Row) => unknown): ExportColumn<Row> {
  return { name, type, read };
}

const tokenNames = [
  "prompt_tokens",
  "completion_tokens",
  "cached_read_tokens",
  "cached_write_tokens",
  "reasoning_tokens",
] as const;

function sum({ attempts }: UsageReportEntry, name: (typeof tokenNames)[number] | "cost_nano"): bigint {
  return BigInt(attempts.reduce((total, attempt) => total + attempt[name], 0));
}

/** A row for each request; tokens and costs are those of all its targets. */
export const requestColumns: readonly ExportColumn<UsageReportEntry>[] = [
  column("id", "STRING", ({ id }) => id),
  column("at", "TIMESTAMP", ({ at }) => new Date(at)),
  column("request_type", "STRING", ({ request_type }) => request_type),
  column("model_requested", "STRING", ({ model_requested }) => model_requested),
  column("key_id", "STRING", ({ key_id }) => key_id),
  column("project_id", "STRING", ({ project_id }) => project_id),
  column("customer_id", "STRING", ({ customer_id }) => customer_id),
  column("user", "STRING", ({ user }) => user),
  column("metadata", "JSON", ({ metadata }) => metadata),
  column("status", "INT32", ({ status }) => status),
  column("reason", "STRING", ({ reason }) => reason),
  column("latency_ms", "DOUBLE", ({ latency }) => latency),
  column("time_to_first_token_ms", "DOUBLE", ({ time_to_first_token }) => time_to_first_token),
  column("cache", "STRING", ({ cache }) => cache),
  column("provider", "STRING", ({ attempts }) => attempts.at(-1)?.provider),
  column("model", "STRING", ({ attempts }) => attempts.at(-1)?.model),
  column("attempts", "INT32", ({ attempts }) => attempts.length),
  ...tokenNames.map((name) => column<UsageReportEntry>(name, "INT64", (entry) => sum(entry, name))),
  column("cost_nano", "INT64", (entry) => sum(entry, "cost_nano")),
  column("saved_nano", "INT64", ({ saved_nano }) => BigInt(saved_nano)),
];

/** A row for each target that was asked. */
export const attemptColumns: readonly ExportColumn<AttemptRow>[] = [
  column("request_id", "STRING", ({ entry }) => entry.id),
  column("number", "INT32", ({ number }) => number),
  column("at", "TIMESTAMP", ({ attempt }) => new Date(attempt.at)),
  column("key_id", "STRING", ({ entry }) => entry.key_id),
  column("provider", "STRING", ({ attempt }) => attempt.provider),
  column("model", "STRING", ({ attempt }) => attempt.model),
  column("credential", "STRING", ({ attempt }) => attempt.credential),
  column("status", "INT32", ({ attempt }) => attempt.status),
  column("reason", "STRING", ({ attempt }) => attempt.reason),
  column("latency_ms", "DOUBLE", ({ attempt }) => attempt.latency),
  column("time_to_first_token_ms", "DOUBLE", ({ attempt }) => attempt.time_to_first_token),
  ...tokenNames.map((name) => column<AttemptRow>(name, "INT64", ({ attempt }) => BigInt(attempt[name]))),
  column("cost_nano", "INT64", ({ attempt }) => BigInt(attempt.cost_nano)),
  column("items", "JSON", ({ attempt }) => attempt.items),
  column("price_version", "STRING", ({ attempt }) => attempt.price_version),
  column("is_estimated", "BOOLEAN", ({ attempt }) => attempt.is_estimated),
  column("is_unpriced", "BOOLEAN", ({ attempt }) => attempt.is_unpriced),
];

/** The targets of a request as rows. */
export function attemptRows(entry: UsageReportEntry): readonly AttemptRow[] {
  return entry.attempts.map((attempt, at) => ({ entry, attempt, number: at + 1 }));
}
