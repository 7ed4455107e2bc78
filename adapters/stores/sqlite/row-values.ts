import type { LedgerAttempt, LedgerEntry } from "../../../src/ports/ledger.ts";
import type { Table, Value } from "./inserter.ts";
import { isPlain, type ScaleWriter, writeItems } from "./items.ts";
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
  columns: `${requestColumns}, tried_at, tried_latency, prompt_tokens, completion_tokens, cost, scale, price`,
  rare: { ...unlabelled, items: null, tried_status: null, tried_reason: null, tried_first_token: null, ...plain },
};

/** Attempts before the last one. */
export const attemptTable: Table = {
  name: "attempt",
  columns: "id, at, provider, model, status, reason, latency, prompt_tokens, completion_tokens, cost, items, price",
  rare: { first_token: null, ...plain },
};

/** What writes texts as numbers, and scales of bills as texts. */
interface Writers {
  readonly names: Names;
  readonly writeScale: ScaleWriter;
}

// Each row is one literal: lists that are put together from parts, or grow, cost more than what is in them.

/** In the order of {@link unaskedTable}, or of {@link askedTable} where somebody was asked. */
export function requestValues({ names, writeScale }: Writers, id: number, entry: LedgerEntry): readonly Value[] {
  const last = entry.attempts.at(-1);
  const { id: event, at, model_requested: asked, status, reason, latency, user = null, saved } = entry;
  const type = names.give(entry.request_type);
  const key = names.give(entry.key_id);
  const project = names.give(entry.project_id);
  const customer = names.give(entry.customer_id);
  const why = names.give(reason);
  const labels = entry.metadata === undefined ? null : JSON.stringify(entry.metadata);
  const first = entry.time_to_first_token ?? null;
  const cache = names.give(entry.cache);
  if (!last) {
    const nobody = 0;
    // biome-ignore format: in the order of the columns
    return [id, event, at, type, asked, key, project, customer, status, why, latency, nobody, nobody, user, labels, first, cache, saved];
  }
  const provider = names.give(last.provider);
  const model = names.give(last.model);
  const hasScale = isPlain(last);
  const scale = hasScale ? names.give(writeScale(last.items)) : 0;
  const items = hasScale || last.items.length === 0 ? null : writeItems(names, last.items);
  const price = names.give(last.price_version);
  const ownStatus = last.status === status ? null : last.status;
  const ownReason = last.reason === reason ? null : names.give(last.reason);
  const ownFirst = last.time_to_first_token ?? null;
  // biome-ignore format: in the order of the columns
  return [
    id, event, at, type, asked, key, project, customer, status, why, latency, provider, model,
    last.at, last.latency, last.prompt_tokens, last.completion_tokens, last.cost, scale, price,
    user, labels, first, cache, saved, items, ownStatus, ownReason, ownFirst,
    names.give(last.credential), last.cached_read_tokens, last.cached_write_tokens, last.reasoning_tokens,
    last.is_estimated ? 1 : 0, last.is_unpriced ? 1 : 0,
  ];
}

/** In the order of {@link attemptTable}. */
export function attemptValues(names: Names, id: number, attempt: LedgerAttempt): readonly Value[] {
  const { at, status, latency, prompt_tokens, completion_tokens, cost } = attempt;
  const provider = names.give(attempt.provider);
  const model = names.give(attempt.model);
  const items = writeItems(names, attempt.items);
  const price = names.give(attempt.price_version);
  // biome-ignore format: in the order of the columns
  return [
    id, at, provider, model, status, names.give(attempt.reason), latency, prompt_tokens, completion_tokens, cost, items, price,
    attempt.time_to_first_token ?? null,
    names.give(attempt.credential), attempt.cached_read_tokens, attempt.cached_write_tokens, attempt.reasoning_tokens,
    attempt.is_estimated ? 1 : 0, attempt.is_unpriced ? 1 : 0,
  ];
}
