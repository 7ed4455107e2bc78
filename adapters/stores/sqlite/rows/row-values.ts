import type { LedgerAttempt, LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import { targetOf } from "../../../shared/usage/ledger-facts.ts";
import type { InsertTable, Value } from "./inserter.ts";
import type { InternedStrings } from "./interned-strings.ts";
import { isPlain, type ScaleWriter, writeItems } from "./line-items.ts";

/** What most requests lack stands last, beside what is written then: neither streamed nor from the cache, and without labels. */
const unlabelled = {
  user: null,
  metadata: null,
  first_token: null,
  cache: 0,
  saved: 0,
  saved_prompt_tokens: 0,
  saved_completion_tokens: 0,
  route: null,
  tool_content: null,
} as const;
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
export const refusedTable: InsertTable = { name: "request", columns: requestColumns, rare: unlabelled };

/** Requests and whom they asked last, who mostly gave them their status and reason. */
export const attemptedTable: InsertTable = {
  name: "request",
  columns: `${requestColumns}, tried_at, tried_latency, prompt_tokens, completion_tokens, cost, scale, price`,
  rare: { ...unlabelled, items: null, tried_status: null, tried_reason: null, tried_first_token: null, ...plain },
};

/** Attempts before the last one. */
export const attemptTable: InsertTable = {
  name: "attempt",
  columns: "id, at, provider, model, status, reason, latency, prompt_tokens, completion_tokens, cost, items, price",
  rare: { first_token: null, ...plain },
};

/** What writes texts as numbers, and scales of bills as texts. */
interface Writers {
  readonly names: InternedStrings;
  readonly writeScale: ScaleWriter;
}

// Each row is one literal: lists that are put together from parts, or grow, cost more than what is in them.

const writeJson = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

/** In the order of {@link refusedTable}, or of {@link attemptedTable} where somebody was asked. */
export function requestValues({ names, writeScale }: Writers, id: number, entry: LedgerEntry): readonly Value[] {
  const last = entry.attempts.at(-1);
  const { id: event, at, model_requested: requested, status, reason, latency, user = null, saved } = entry;
  const { saved_prompt_tokens: savedPrompt, saved_completion_tokens: savedCompletion } = entry;
  const type = names.intern(entry.request_type);
  const key = names.intern(entry.key_id);
  const project = names.intern(entry.project_id);
  const customer = names.intern(entry.customer_id);
  const why = names.intern(reason);
  const labels = writeJson(entry.metadata);
  const first = entry.time_to_first_token ?? null;
  const route = writeJson(entry.route);
  const content = writeJson(entry.tool_content);
  const cache = names.intern(entry.cache);
  if (!last) {
    const noProvider = 0;
    const asked = names.intern(targetOf(entry).model ?? undefined);
    // biome-ignore format: in the order of the columns
    return [id, event, at, type, requested, key, project, customer, status, why, latency, noProvider, asked, user, labels, first, cache, saved, savedPrompt, savedCompletion, route, content];
  }
  const provider = names.intern(last.provider);
  const model = names.intern(last.model);
  const hasScale = isPlain(last);
  const scale = hasScale ? names.intern(writeScale(last.items)) : 0;
  const items = hasScale || last.items.length === 0 ? null : writeItems(names, last.items);
  const price = names.intern(last.price_version);
  const ownStatus = last.status === status ? null : last.status;
  const ownReason = last.reason === reason ? null : names.intern(last.reason);
  const ownFirst = last.time_to_first_token ?? null;
  // biome-ignore format: in the order of the columns
  return [
    id, event, at, type, requested, key, project, customer, status, why, latency, provider, model,
    last.at, last.latency, last.prompt_tokens, last.completion_tokens, last.cost, scale, price,
    user, labels, first, cache, saved, savedPrompt, savedCompletion, route, content, items, ownStatus, ownReason, ownFirst,
    names.intern(last.credential), last.cached_read_tokens, last.cached_write_tokens, last.reasoning_tokens,
    last.is_estimated ? 1 : 0, last.is_unpriced ? 1 : 0,
  ];
}

/** In the order of {@link attemptTable}. */
export function attemptValues(names: InternedStrings, id: number, attempt: LedgerAttempt): readonly Value[] {
  const { at, status, latency, prompt_tokens, completion_tokens, cost } = attempt;
  const provider = names.intern(attempt.provider);
  const model = names.intern(attempt.model);
  const items = writeItems(names, attempt.items);
  const price = names.intern(attempt.price_version);
  // biome-ignore format: in the order of the columns
  return [
    id, at, provider, model, status, names.intern(attempt.reason), latency, prompt_tokens, completion_tokens, cost, items, price,
    attempt.time_to_first_token ?? null,
    names.intern(attempt.credential), attempt.cached_read_tokens, attempt.cached_write_tokens, attempt.reasoning_tokens,
    attempt.is_estimated ? 1 : 0, attempt.is_unpriced ? 1 : 0,
  ];
}
