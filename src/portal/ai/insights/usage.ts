import { GatewayError } from "../../../engine/errors.ts";
import type { Dimension, UsageFilters } from "../../../engine/ports/ledger.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiUsageRow } from "../../../operations/portal/tenancy/ai/insights.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { Period } from "../costs/period.ts";
import { toLedgerFilters } from "../requests/filters.ts";
import { readNames } from "../requests/owners.ts";
import { visibleRequests } from "../requests/visible.ts";
import { cutPeriod, type Interval, nameInterval } from "./intervals.ts";
import { openPricedUsage, type PricedRow, type PricedUsage } from "./priced-usage.ts";
import { type GroupLimit, type IntervalRows, toUsageRows, withoutRows } from "./usage-rows.ts";

type UsageInput = InputOf<Areas["ai"]["usage"]>;

/** Sums usage by group and interval, restricted to what the caller sees. */
export async function sumUsage(deps: PortalDeps, input: UsageInput, call: PortalCall): Promise<AiUsageRow[]> {
  const { from, to, group_by = [], interval, timezone = "UTC", limit = 100, order = "cost", ...fields } = input;
  const period = { from: Date.parse(from), to: Date.parse(to) };
  if (period.from >= period.to)
    throw new GatewayError("invalid_request", "`to`: must be later than `from`.", { param: "to" });
  const visible = await visibleRequests(call);
  const filters = toLedgerFilters(fields, visible);
  if (!filters) return [];
  const question = { group_by: group_by as readonly Dimension[], filters }; // seam: the row's schema lists the dimensions
  const isExact = visible.keyIds === undefined || filters.key_id !== undefined;
  const usage = await openPricedUsage(deps, call, visible);
  const intervals = interval
    ? await queryLargest({ usage, isExact }, question, {
        ...{ interval, parts: cutPeriod(period, interval, timezone), limit, order },
      })
    : [{ at: undefined, rows: await usage({ ...question, ...period }) }];
  return nameGroups(deps, toUsageRows(intervals, { limit, order }), call);
}

interface CutIntervals {
  readonly interval: Interval;
  readonly parts: readonly Period[];
}

/** What is summed, but for its time. */
interface SumQuestion {
  readonly group_by: readonly Dimension[];
  readonly filters: UsageFilters;
}

/** The usage that the caller sees; exact where the ledger answers for the caller's requests alone. */
interface VisibleUsage {
  readonly usage: PricedUsage;
  readonly isExact: boolean;
}

/** The dimensions of which a question can name the largest groups: each request has one value of them. */
const ownerDimensions: ReadonlySet<Dimension> = new Set(["key_id", "project_id", "customer_id"]);

/**
 * The sums of each interval. Where more groups than are shown have used something, only the largest are asked for, and the others follow from
 * the sums of all.
 */
async function queryLargest(
  { usage, isExact }: VisibleUsage,
  question: SumQuestion,
  { limit, order, ...cut }: CutIntervals & GroupLimit,
): Promise<readonly IntervalRows[]> {
  const { group_by, filters } = question;
  const [dimension, ...more] = group_by;
  const [first, last] = [cut.parts.at(0), cut.parts.at(-1)];
  if (!(dimension && ownerDimensions.has(dimension) && more.length === 0 && isExact && first && last))
    return queryIntervals(usage, question, cut);
  const totals = await usage({ ...question, from: first.from, to: last.to });
  if (totals.length <= limit) return queryIntervals(usage, question, cut);
  const largest = totals.toSorted((one, other) => other[order] - one[order]).slice(0, limit);
  const values = largest.map(({ group }) => group[dimension] ?? null);
  const shown = await queryIntervals(usage, { ...question, filters: { ...filters, [dimension]: values } }, cut);
  const whole = await queryIntervals(usage, { ...question, group_by: [] }, cut);
  return shown.map(({ at, rows }, position) => ({ at, rows, others: withoutRows(whole[position]?.rows ?? [], rows) }));
}

/** The sums of each interval: by one question where they begin with hours, days or months of the ledger's own calendar, else by one for each. */
async function queryIntervals(
  usage: PricedUsage,
  question: SumQuestion,
  { interval, parts }: CutIntervals,
): Promise<readonly IntervalRows[]> {
  const [first, last] = [parts.at(0), parts.at(-1)];
  const cut = nameInterval(parts, interval);
  if (!(cut && first && last)) {
    const intervals: IntervalRows[] = [];
    for (const part of parts) intervals.push({ at: part.from, rows: await usage({ ...question, ...part }) });
    return intervals;
  }
  const group_by = [interval, ...question.group_by];
  const rows = await usage({ ...question, group_by, from: first.from, to: last.to });
  const byInterval = new Map<string, PricedRow[]>();
  for (const { group: full, ...sums } of rows) {
    const { [interval]: at, ...group } = full;
    const present = byInterval.get(String(at)) ?? [];
    byInterval.set(String(at), present);
    present.push({ group, ...sums });
  }
  return parts.map(({ from }) => ({ at: from, rows: byInterval.get(cut(from)) ?? [] }));
}

/** The dimensions whose values are ids. */
const namedKinds = { key_id: "key", project_id: "project", customer_id: "customer" } as const;

/** Returns the rows with the names of the keys, projects and customers that they are of. */
async function nameGroups({ records }: PortalDeps, rows: AiUsageRow[], call: PortalCall): Promise<AiUsageRow[]> {
  const { scope } = call.caller;
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const [dimension, kind] of Object.entries(namedKinds)) {
    const ids = rows.flatMap(({ group }) => (typeof group[dimension] === "string" ? [group[dimension]] : []));
    if (ids.length > 0) found.set(dimension, await readNames({ records, scope }, kind, new Set(ids)));
  }
  return rows.map((row) => {
    const names = [...found].flatMap(([dimension, byId]) => {
      const name = byId.get(String(row.group[dimension]));
      return name === undefined ? [] : [[dimension, name] as const];
    });
    return names.length === 0 ? row : { ...row, names: Object.fromEntries(names) };
  });
}
