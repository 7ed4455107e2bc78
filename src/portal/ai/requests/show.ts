import { toDollars } from "../../../engine/metering/money.ts";
import type { UsageReportAttempt, UsageReportEntry } from "../../../engine/metering/usage/report.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { LedgerRoute } from "../../../engine/ports/ledger.ts";
import type { AiRequest, AiRequestAttempt, AiRequestDetail } from "../../../operations/portal/tenancy/ai/requests.ts";
import type { RequestOwners } from "./owners.ts";

/** Returns a request as lists show it. */
export function showRequest(entry: UsageReportEntry, owners: RequestOwners): AiRequest {
  const {
    id,
    at,
    key_id,
    project_id,
    customer_id,
    saved_nano: _exact,
    attempts,
    metadata,
    route: _route,
    tool_content: _content,
    ...facts
  } = entry;
  const last = attempts.at(-1);
  const sum = (count: (attempt: UsageReportAttempt) => number) =>
    attempts.reduce((total, attempt) => total + count(attempt), 0);
  return {
    ...facts,
    event_id: id,
    at: new Date(at).toISOString(),
    ...(last ? { model: last.model, provider: last.provider } : {}),
    ...owners.show("key", key_id),
    ...owners.show("project", project_id),
    ...owners.show("customer", customer_id),
    ...(metadata ? { metadata: { ...metadata } } : {}),
    prompt_tokens: sum(({ prompt_tokens }) => prompt_tokens),
    completion_tokens: sum(({ completion_tokens }) => completion_tokens),
    cached_read_tokens: sum(({ cached_read_tokens }) => cached_read_tokens),
    cached_write_tokens: sum(({ cached_write_tokens }) => cached_write_tokens),
    reasoning_tokens: sum(({ reasoning_tokens }) => reasoning_tokens),
    cost: toDollars(sum(({ cost_nano }) => cost_nano)),
    price: toDollars(owners.priceOf(entry)),
    attempt_count: attempts.length,
    is_estimated: attempts.some(({ is_estimated }) => is_estimated),
    is_unpriced: attempts.some(({ is_unpriced }) => is_unpriced),
  };
}

/** Returns a request with its attempts and their line items; credentials only where they are to be shown. */
export function showRequestDetail(
  entry: UsageReportEntry,
  owners: RequestOwners,
  { hasCredentials }: { readonly hasCredentials: boolean },
): AiRequestDetail {
  const attempts = entry.attempts.map((attempt) => showAttempt(attempt, hasCredentials));
  const plain: LedgerRoute = { targets: [...new Set(attempts.map(({ model }) => model))], skipped: [] };
  const { targets, skipped, rule, omitted } = entry.route ?? plain;
  const { tool_content } = entry;
  return {
    ...showRequest(entry, owners),
    attempts,
    plan: [...targets],
    skipped: skipped.map((one) => ({ ...one })),
    ...present({ rule, omitted, tool_content: tool_content && { ...tool_content } }),
  };
}

function showAttempt(
  { at, credential, cost_nano: _exact, items, ...facts }: UsageReportAttempt,
  hasCredentials: boolean,
): AiRequestAttempt {
  return {
    ...facts,
    at: new Date(at).toISOString(),
    ...(hasCredentials && credential !== undefined ? { credential } : {}),
    items: items.map(({ amount_nano: _exactAmount, ...item }) => item),
  };
}
