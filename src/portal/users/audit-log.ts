import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalCall } from "../call/call.ts";

type AuditQuestion = InputOf<Areas["users"]["audit"]>;

/** Returns a page of the audit log of the caller's scope, the newest entry first. All filters together apply. */
export async function readAuditLog(question: AuditQuestion, { records }: PortalCall) {
  const { user_id, operation, outcome, target, from, to, order = "newest", after, limit = 100 } = question;
  const where = { user_id, operation, outcome, target_id: target };
  const filters = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined));
  const period = { from: from && inUtc(from), until: to && inUtc(to) };
  const page = await records.list("audit", { where: filters, ...period, order, after, limit });
  const entries = page.records.map(({ record: { changed, ...entry } }) => ({
    ...entry,
    ...(changed && { changed: [...changed] }),
  }));
  return { entries, ...(page.next === undefined ? {} : { next: page.next }) };
}

/** An instant as records have it, so that their texts compare. */
function inUtc(instant: string): string {
  return new Date(instant).toISOString();
}
