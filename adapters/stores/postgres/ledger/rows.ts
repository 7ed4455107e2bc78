import type {
  LedgerAttempt,
  LedgerEntry,
  LedgerRoute,
  LedgerToolContent,
} from "../../../../src/engine/ports/ledger.ts";
import type { LineItem } from "../../../../src/engine/ports/prices.ts";
import { readText, writeText } from "../../../shared/postgres/texts.ts";
import { targetOf } from "../../../shared/usage/ledger-facts.ts";
import { damaged } from "../damaged.ts";

/** Columns of `request` and of `attempt` but for their ids, and their types: as they are written from JSON, and read. */
export const requestColumns = {
  event_id: "text",
  at: "bigint",
  request_type: "text",
  model_requested: "text",
  key_id: "text",
  project_id: "text",
  customer_id: "text",
  user: "text",
  metadata: "jsonb",
  status: "integer",
  reason: "text",
  latency: "double precision",
  time_to_first_token: "double precision",
  cache: "text",
  saved: "bigint",
  saved_prompt_tokens: "bigint",
  saved_completion_tokens: "bigint",
  route: "jsonb",
  tool_content: "json",
  provider: "text",
  model: "text",
} as const;

export const attemptColumns = {
  at: "bigint",
  provider: "text",
  model: "text",
  credential: "text",
  status: "integer",
  reason: "text",
  latency: "double precision",
  time_to_first_token: "double precision",
  prompt_tokens: "bigint",
  completion_tokens: "bigint",
  cached_read_tokens: "bigint",
  cached_write_tokens: "bigint",
  reasoning_tokens: "bigint",
  cost: "bigint",
  items: "json",
  price_version: "text",
  is_estimated: "boolean",
  is_unpriced: "boolean",
} as const;

type PostgresValue = string | number | boolean | object | null;

/** A row of `request` as it comes; numbers of 64 bits are texts. */
export type PostgresRequestRow = Readonly<Record<keyof typeof requestColumns | "id", PostgresValue>> & {
  readonly attempts: readonly PostgresAttemptRow[];
};
type PostgresAttemptRow = Readonly<Record<keyof typeof attemptColumns, PostgresValue>>;

/** A row to be written: what has no value is left out, and becomes null. */
type RowDraft<Columns> = { readonly [Name in keyof Columns]?: PostgresValue | undefined };

const maybe = (text: string | undefined) => (text === undefined ? undefined : writeText(text));

/** An entry as a row of `request`. */
export function writeRequest(entry: LedgerEntry): RowDraft<typeof requestColumns> {
  const { provider, model } = targetOf(entry);
  return {
    event_id: writeText(entry.id),
    at: entry.at,
    request_type: entry.request_type,
    model_requested: writeText(entry.model_requested),
    key_id: writeText(entry.key_id ?? ""),
    project_id: writeText(entry.project_id ?? ""),
    customer_id: writeText(entry.customer_id ?? ""),
    user: maybe(entry.user),
    metadata: entry.metadata && mapTexts(entry.metadata, writeText),
    status: entry.status,
    reason: entry.reason,
    latency: entry.latency,
    time_to_first_token: entry.time_to_first_token,
    cache: entry.cache,
    saved: entry.saved,
    saved_prompt_tokens: entry.saved_prompt_tokens,
    saved_completion_tokens: entry.saved_completion_tokens,
    route: entry.route && mapRoute(entry.route, writeText),
    tool_content: entry.tool_content && mapContent(entry.tool_content, writeText),
    provider: writeText(provider ?? ""),
    model: writeText(model ?? ""),
  };
}

/** An attempt as a row of `attempt`. */
export function writeAttempt(attempt: LedgerAttempt): RowDraft<typeof attemptColumns> {
  return {
    ...attempt,
    provider: writeText(attempt.provider),
    model: writeText(attempt.model),
    credential: maybe(attempt.credential),
    items: attempt.items.map(({ unit, quantity, rate, amount, basis }) => [
      writeText(unit),
      quantity,
      rate,
      amount,
      writeText(basis),
    ]),
    price_version: maybe(attempt.price_version),
  };
}

function mapTexts(texts: Readonly<Record<string, string>>, map: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [map(name), map(text)]));
}

/** A route with its texts mapped: the names in it are callers' words. */
function mapRoute({ rule, targets, skipped, omitted }: LedgerRoute, map: (text: string) => string): LedgerRoute {
  return {
    ...(rule === undefined ? {} : { rule: map(rule) }),
    targets: targets.map(map),
    skipped: skipped.map(({ entry, reason, message }) => ({ entry: map(entry), reason, message: map(message) })),
    ...(omitted === undefined ? {} : { omitted }),
  };
}

function mapContent(
  { arguments: provided, result, is_truncated }: LedgerToolContent,
  map: (text: string) => string,
): LedgerToolContent {
  return { arguments: map(provided), ...(result === undefined ? {} : { result: map(result) }), is_truncated };
}

/** The entry of a row. */
export function readRequest(row: PostgresRequestRow): LedgerEntry {
  try {
    return {
      id: textOf(row.event_id),
      at: Number(row.at),
      request_type: textOf(row.request_type) as LedgerEntry["request_type"], // as it was written, as are reason and cache
      model_requested: textOf(row.model_requested),
      key_id: textOf(row.key_id) || undefined,
      project_id: textOf(row.project_id) || undefined,
      customer_id: textOf(row.customer_id) || undefined,
      user: maybeText(row.user),
      metadata: row.metadata === null ? undefined : mapTexts(row.metadata as Record<string, string>, textOf),
      status: Number(row.status),
      reason: textOf(row.reason) as LedgerEntry["reason"],
      latency: Number(row.latency),
      time_to_first_token: maybeNumber(row.time_to_first_token),
      cache: maybeText(row.cache) as LedgerEntry["cache"],
      saved: Number(row.saved),
      saved_prompt_tokens: Number(row.saved_prompt_tokens),
      saved_completion_tokens: Number(row.saved_completion_tokens),
      tool_content: row.tool_content === null ? undefined : mapContent(row.tool_content as LedgerToolContent, textOf),
      route: row.route === null ? undefined : mapRoute(row.route as unknown as LedgerRoute, textOf),
      attempts: row.attempts.map(readAttempt),
    };
  } catch {
    throw damaged(`a request (number ${row.id})`);
  }
}

function readAttempt(row: PostgresAttemptRow): LedgerAttempt {
  return {
    at: Number(row.at),
    provider: textOf(row.provider),
    model: textOf(row.model),
    credential: maybeText(row.credential),
    status: Number(row.status),
    reason: textOf(row.reason) as LedgerAttempt["reason"],
    latency: Number(row.latency),
    time_to_first_token: maybeNumber(row.time_to_first_token),
    prompt_tokens: Number(row.prompt_tokens),
    completion_tokens: Number(row.completion_tokens),
    cached_read_tokens: Number(row.cached_read_tokens),
    cached_write_tokens: Number(row.cached_write_tokens),
    reasoning_tokens: Number(row.reasoning_tokens),
    cost: Number(row.cost),
    items: (row.items as readonly PostgresItemTuple[]).map(readItem),
    price_version: maybeText(row.price_version),
    is_estimated: row.is_estimated === true,
    is_unpriced: row.is_unpriced === true,
  };
}

type PostgresItemTuple = readonly [unit: string, quantity: number, rate: number, amount: number, basis: string];

function readItem([unit, quantity, rate, amount, basis]: PostgresItemTuple): LineItem {
  return { unit: readText(unit), quantity, rate, amount, basis: readText(basis) };
}

function textOf(rollup: PostgresValue): string {
  return readText(rollup as string);
}

function maybeText(rollup: PostgresValue): string | undefined {
  return rollup === null ? undefined : textOf(rollup);
}

function maybeNumber(rollup: PostgresValue): number | undefined {
  return rollup === null ? undefined : Number(rollup);
}
