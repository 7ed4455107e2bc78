import type { LedgerAttempt, LedgerEntry } from "../../../src/ports/ledger.ts";
import type { Table, Value } from "./inserter.ts";
import { writeItems } from "./items.ts";
import type { Names } from "./names.ts";

/** What most requests lack stands last, beside what is written then: neither streamed nor from the cache, and without labels. */
const unlabelled = { user: null, metadata: null, first_token: null, cache: 0, saved: 0 } as const;
/** The same of attempts. */
const plain = {
  credential: 0,
  cached_read_tokens: 0,
  cached_write_tokens: 0,
  reasoning_tokens: 0,
  is_estimated: 0,
  is_unpriced: 0,
} as const;
const requestColumns = "id, event, at, type, asked, key, project, customer, status, reason, latency, provider, model";

/** Requests for which nobody was asked. */
export const unaskedTable: Table = { name: "request", columns: requestColumns, rare: unlabelled };

/** Requests and whom they asked last, who mostly gave them their status and reason. */
export const askedTable: Table = {
  name: "request",
  columns: `${requestColumns}, tried_at, tried_latency, prompt_tokens, completion_tokens, cost, items, price`,
  rare: { ...unlabelled, tried_status: null, tried_reason: null, tried_first_token: null, ...plain },
};

/** Attempts before the last one. */
export const attemptTable: Table = {
  name: "attempt",
  columns: "id, at, provider, model, status, reason, latency, prompt_tokens, completion_tokens, cost, items, price",
  rare: { first_token: null, ...plain },
};

/** In the order of {@link unaskedTable}. */
export function unaskedValues(names: Names, id: number, entry: LedgerEntry): readonly Value[] {
  const row = startRequest(names, id, entry);
  row.push(0, 0);
  addLabels(row, names, entry);
  return row;
}

/** In the order of {@link askedTable}. */
export function askedValues(names: Names, id: number, entry: LedgerEntry): readonly Value[] {
  const last = entry.attempts.at(-1) as LedgerAttempt;
  const row = startRequest(names, id, entry);
  row.push(names.give(last.provider), names.give(last.model), last.at, last.latency);
  addBill(row, names, last);
  addLabels(row, names, entry);
  row.push(
    last.status === entry.status ? null : last.status,
    last.reason === entry.reason ? null : names.give(last.reason),
    last.time_to_first_token ?? null,
  );
  addParts(row, names, last);
  return row;
}

/** In the order of {@link attemptTable}. */
export function attemptValues(names: Names, id: number, attempt: LedgerAttempt): readonly Value[] {
  const { at, provider, model, status, reason, latency } = attempt;
  const row: Value[] = [id, at, names.give(provider), names.give(model), status, names.give(reason), latency];
  addBill(row, names, attempt);
  row.push(attempt.time_to_first_token ?? null);
  addParts(row, names, attempt);
  return row;
}

// Rows are added to in place: they are written for every request, and an array for each part of one costs more than what is in it.

function startRequest(names: Names, id: number, entry: LedgerEntry): Value[] {
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
  ];
}

function addBill(row: Value[], names: Names, attempt: LedgerAttempt): void {
  const { prompt_tokens, completion_tokens, cost, items, price_version } = attempt;
  row.push(prompt_tokens, completion_tokens, cost, writeItems(names, items), names.give(price_version));
}

function addLabels(
  row: Value[],
  names: Names,
  { user, metadata, time_to_first_token, cache, saved }: LedgerEntry,
): void {
  const labels = metadata === undefined ? null : JSON.stringify(metadata);
  row.push(user ?? null, labels, time_to_first_token ?? null, names.give(cache), saved);
}

function addParts(row: Value[], names: Names, attempt: LedgerAttempt): void {
  const { credential, cached_read_tokens, cached_write_tokens, reasoning_tokens, is_estimated, is_unpriced } = attempt;
  row.push(names.give(credential), cached_read_tokens, cached_write_tokens, reasoning_tokens);
  row.push(is_estimated ? 1 : 0, is_unpriced ? 1 : 0);
}
