import type { LedgerAttempt, LedgerEntry } from "../../../src/ports/ledger.ts";
import type { LineItem } from "../../../src/ports.ts";
import type { Connection } from "./connection.ts";
import { openInserter, type Table, type Value } from "./inserter.ts";
import type { Names } from "./names.ts";
import { readStored } from "./stored.ts";

/** Attempts that a request can have: `attempt.id` is `request × 256 + number`. */
export const attemptsPerRequest = 256;

/** Writes entries and reads them back. */
export interface Rows {
  /** Writes entries as requests number `first` and on, inside a transaction. */
  insert(first: number, entries: readonly LedgerEntry[]): void;
  /** The entries of some rows of `request`. */
  read(requests: readonly RequestRow[]): readonly LedgerEntry[];
}

/** A row of `request`. */
export interface RequestRow {
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
  readonly status: number;
  readonly reason: number;
  readonly latency: number;
  readonly first_token: number | null;
  readonly cache: number;
  readonly saved: number;
}

interface AttemptRow {
  readonly at: number;
  readonly provider: number;
  readonly model: number;
  readonly credential: number;
  readonly status: number;
  readonly reason: number;
  readonly latency: number;
  readonly first_token: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_read_tokens: number;
  readonly cached_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost: number;
  readonly items: string;
  readonly price: number;
  readonly is_estimated: number;
  readonly is_unpriced: number;
}

/** What most requests lack stands last, beside what is written then: neither streamed nor from the cache, and without labels. */
const requestTable: Table = {
  name: "request",
  columns: "id, event, at, type, asked, key, project, customer, status, reason, latency, provider, model",
  rare: { user: null, metadata: null, first_token: null, cache: 0, saved: 0 },
};
const attemptTable: Table = {
  name: "attempt",
  columns: `id, at, provider, model, status, reason, latency, prompt_tokens, completion_tokens, cost, items, price`,
  rare: {
    credential: 0,
    first_token: null,
    cached_read_tokens: 0,
    cached_write_tokens: 0,
    reasoning_tokens: 0,
    is_estimated: 0,
    is_unpriced: 0,
  },
};

/** Rows of the ledger in a store file. */
export function openRows(connection: Connection, names: Names): Rows {
  const requests = openInserter(connection, requestTable);
  const attempts = openInserter(connection, attemptTable);
  return {
    insert(first, entries) {
      requests.drop(); // what an insertion left that failed
      attempts.drop();
      let id = first;
      for (const entry of entries) {
        requests.add(requestValues(names, id, entry));
        let attemptId = id * attemptsPerRequest;
        for (const attempt of entry.attempts) attempts.add(attemptValues(names, attemptId++, attempt));
        id++;
      }
      requests.flush();
      attempts.flush();
    },
    read: (rows) => rows.map((row) => readEntry(connection, names, row)),
  };
}

/** In the order of {@link requestTable}. */
function requestValues(names: Names, id: number, entry: LedgerEntry): readonly Value[] {
  const last = entry.attempts.at(-1);
  return [
    id,
    entry.id,
    entry.at,
    names.give(entry.request_type),
    entry.model_requested,
    names.give(entry.key_id),
    names.give(entry.project_id),
    names.give(entry.customer_id),
    entry.status,
    names.give(entry.reason),
    entry.latency,
    names.give(last?.provider),
    names.give(last?.model),
    entry.user ?? null,
    entry.metadata === undefined ? null : JSON.stringify(entry.metadata),
    entry.time_to_first_token ?? null,
    names.give(entry.cache),
    entry.saved,
  ];
}

/** In the order of {@link attemptTable}. */
function attemptValues(names: Names, id: number, attempt: LedgerAttempt): readonly Value[] {
  return [
    id,
    attempt.at,
    names.give(attempt.provider),
    names.give(attempt.model),
    attempt.status,
    names.give(attempt.reason),
    attempt.latency,
    attempt.prompt_tokens,
    attempt.completion_tokens,
    attempt.cost,
    writeItems(attempt.items),
    names.give(attempt.price_version),
    names.give(attempt.credential),
    attempt.time_to_first_token ?? null,
    attempt.cached_read_tokens,
    attempt.cached_write_tokens,
    attempt.reasoning_tokens,
    attempt.is_estimated ? 1 : 0,
    attempt.is_unpriced ? 1 : 0,
  ];
}

type ItemTuple = readonly [unit: string, quantity: number, rate: number, amount: number, basis: string];

function writeItems(items: readonly LineItem[]): string {
  if (items.length === 0) return "[]";
  return JSON.stringify(items.map(({ unit, quantity, rate, amount, basis }) => [unit, quantity, rate, amount, basis]));
}

function readItems(tuples: readonly ItemTuple[]): readonly LineItem[] {
  return tuples.map(([unit, quantity, rate, amount, basis]) => ({ unit, quantity, rate, amount, basis }));
}

function readEntry(connection: Connection, names: Names, row: RequestRow): LedgerEntry {
  const first = row.id * attemptsPerRequest;
  const attempts = connection
    .prepare("SELECT * FROM attempt WHERE id BETWEEN ? AND ? ORDER BY id")
    .all(first, first + attemptsPerRequest - 1) as unknown as AttemptRow[];
  const text = (id: number) => names.read(id) ?? undefined;
  const read = (json: string) => readStored(connection, `a request (${row.event})`, json);
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
    attempts: attempts.map((attempt) => readAttempt(names, attempt, read(attempt.items) as readonly ItemTuple[])),
  };
}

function readAttempt(names: Names, row: AttemptRow, items: readonly ItemTuple[]): LedgerAttempt {
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
    items: readItems(items),
    price_version: names.read(row.price) ?? undefined,
    is_estimated: row.is_estimated === 1,
    is_unpriced: row.is_unpriced === 1,
  };
}
