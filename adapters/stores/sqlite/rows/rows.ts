import type { LedgerAttempt, LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import type { LineItem } from "../../../../src/engine/ports/prices.ts";
import type { Connection } from "../connection.ts";
import { readStored } from "../stored.ts";
import { attemptIds, attemptsPerRequest } from "./attempt-ids.ts";
import { openInserter } from "./inserter.ts";
import type { InternedStrings } from "./interned-strings.ts";
import { openScales, readItems, readPlainItems } from "./line-items.ts";
import { attemptedTable, attemptTable, attemptValues, refusedTable, requestValues } from "./row-values.ts";

/** Writes entries and reads them back. */
export interface LedgerRows {
  /** Writes entries as requests number `first` and on, inside a transaction. */
  insert(first: number, entries: readonly LedgerEntry[]): void;
  /** The entries of some rows of `request`. */
  read(requests: readonly SqliteRequestRow[]): readonly LedgerEntry[];
}

/** Counts of an attempt, which are stored as they are. */
type AttemptCounts = Pick<
  LedgerAttempt,
  | "status"
  | "prompt_tokens"
  | "completion_tokens"
  | "cached_read_tokens"
  | "cached_write_tokens"
  | "reasoning_tokens"
  | "cost"
>;

/** What the tables `request` and `attempt` both have of an attempt. */
interface AttemptColumns extends AttemptCounts {
  readonly provider: number;
  readonly model: number;
  readonly reason: number;
  readonly credential: number;
  /** As `writeItems` writes them; null where there are none, or `scale` tells them. */
  readonly items: string | null;
  readonly price: number;
  readonly is_estimated: number;
  readonly is_unpriced: number;
}

/** A row of `request`; what it has of its last attempt means something where `tried_at` is a number. */
export interface SqliteRequestRow extends AttemptColumns {
  readonly id: number;
  readonly event: string;
  readonly at: number;
  readonly type: number;
  readonly asked: string;
  readonly key: number;
  readonly project: number;
  readonly customer: number;
  readonly user: string | null;
  readonly metadata: string | null;
  readonly latency: number;
  readonly first_token: number | null;
  readonly cache: number;
  readonly saved: number;
  readonly saved_prompt_tokens: number;
  readonly saved_completion_tokens: number;
  /** A `LedgerRoute` as JSON. */
  readonly route: string | null;
  /** A `LedgerToolContent` as JSON. */
  readonly tool_content: string | null;
  readonly tried_at: number | null;
  readonly tried_status: number | null;
  readonly tried_reason: number | null;
  readonly tried_latency: number;
  readonly tried_first_token: number | null;
  /** The name that is the scale of the last attempt's bill, where that is plain, else 0. */
  readonly scale: number;
}

interface SqliteAttemptRow extends AttemptColumns {
  readonly scale?: number;
  readonly at: number;
  readonly latency: number;
  readonly first_token: number | null;
}

/** Rows of the ledger in a store file. */
export function openRows(connection: Connection, names: InternedStrings): LedgerRows {
  const refusedRows = openInserter(connection, refusedTable);
  const attemptedRows = openInserter(connection, attemptedTable);
  const attempts = openInserter(connection, attemptTable);
  const all = [refusedRows, attemptedRows, attempts];
  const writers = { names, writeScale: openScales() };
  return {
    insert(first, entries) {
      for (const inserter of all) inserter.drop(); // what an insertion left that failed
      let id = first;
      for (const entry of entries) {
        const before = entry.attempts.length - 1;
        (before < 0 ? refusedRows : attemptedRows).add(requestValues(writers, id, entry));
        for (let number = 0; number < before; number++) {
          attempts.add(attemptValues(names, id * attemptsPerRequest + number, entry.attempts[number] as LedgerAttempt));
        }
        id++;
      }
      for (const inserter of all) inserter.flush();
    },
    read: (rows) => rows.map((row) => readEntry(connection, names, row)),
  };
}

function readEntry(connection: Connection, names: InternedStrings, row: SqliteRequestRow): LedgerEntry {
  const text = (id: number) => names.read(id) ?? undefined;
  const read = (json: string) => readStored(connection, `a request (${row.event})`, json);
  const attempts = connection
    .prepare("SELECT * FROM attempt WHERE id BETWEEN ? AND ? ORDER BY id")
    .all(...attemptIds(row.id, row.id)) as unknown as SqliteAttemptRow[];
  if (row.tried_at !== null) attempts.push(triedIn(row, row.tried_at));
  return {
    id: row.event,
    at: row.at,
    request_type: text(row.type) as LedgerEntry["request_type"],
    model_requested: row.asked,
    key_id: text(row.key),
    project_id: text(row.project),
    customer_id: text(row.customer),
    user: row.user ?? undefined,
    metadata: row.metadata === null ? undefined : (read(row.metadata) as LedgerEntry["metadata"]),
    status: row.status,
    reason: text(row.reason) as LedgerEntry["reason"],
    latency: row.latency,
    time_to_first_token: row.first_token ?? undefined,
    cache: text(row.cache) as LedgerEntry["cache"],
    saved: row.saved,
    saved_prompt_tokens: row.saved_prompt_tokens,
    saved_completion_tokens: row.saved_completion_tokens,
    route: row.route === null ? undefined : (read(row.route) as LedgerEntry["route"]),
    tool_content: row.tool_content === null ? undefined : (read(row.tool_content) as LedgerEntry["tool_content"]),
    attempts: attempts.map((attempt) => readAttempt(names, attempt, itemsOf(names, attempt, read))),
  };
}

function itemsOf(names: InternedStrings, row: SqliteAttemptRow, read: (json: string) => unknown): readonly LineItem[] {
  const { scale = 0, items, prompt_tokens, completion_tokens } = row;
  if (scale > 0) return readPlainItems(read(names.read(scale) ?? ""), [prompt_tokens, completion_tokens]);
  return items === null ? [] : readItems(names, read(items));
}

/** The attempt in the row of its request. */
function triedIn(row: SqliteRequestRow, at: number): SqliteAttemptRow {
  return {
    ...row,
    at,
    status: row.tried_status ?? row.status,
    reason: row.tried_reason ?? row.reason,
    latency: row.tried_latency,
    first_token: row.tried_first_token,
  };
}

function readAttempt(names: InternedStrings, row: SqliteAttemptRow, items: readonly LineItem[]): LedgerAttempt {
  return {
    at: row.at,
    provider: names.read(row.provider) ?? "",
    model: names.read(row.model) ?? "",
    credential: names.read(row.credential) ?? undefined,
    status: row.status,
    reason: (names.read(row.reason) ?? "ok") as LedgerAttempt["reason"],
    latency: row.latency,
    time_to_first_token: row.first_token ?? undefined,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    cached_read_tokens: row.cached_read_tokens,
    cached_write_tokens: row.cached_write_tokens,
    reasoning_tokens: row.reasoning_tokens,
    cost: row.cost,
    items,
    price_version: names.read(row.price) ?? undefined,
    is_estimated: row.is_estimated === 1,
    is_unpriced: row.is_unpriced === 1,
  };
}
