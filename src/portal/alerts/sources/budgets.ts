import { isGatewayError } from "../../../engine/errors.ts";
import { toDollars } from "../../../engine/metering/money.ts";
import type { LimitUsage } from "../../../engine/policy/limit-usage.ts";
import { type AlertOwner, findOwner } from "../owner.ts";
import type { AlertContext, AlertFinding, AlertSource } from "./source.ts";

/** Keys that were not used of which the budgets are looked at each time; all of them come round. */
const keysAtOnce = 100;

const common = { permission: "ai_limits-get", isShared: true, everyMs: 30_000 } as const;

/** A budget of which a share is used. */
export const budgetUsed: AlertSource = {
  ...common,
  defaults: { percent: 80 },
  find: (context) =>
    findBudgets(
      context,
      ({ max_nano: max = 0, used_nano: used = 0 }) => used * 100 >= max * (context.params.percent ?? 0),
    ),
};

/** A budget that never resets, as prepaid credit is, of which little is left. */
export const balanceLow: AlertSource = {
  ...common,
  defaults: { dollars: 10 },
  find: (context) =>
    findBudgets(
      context,
      ({ max, used, duration }) => duration === "never" && max - used <= (context.params.dollars ?? 0),
    ),
};

interface BudgetSubject {
  readonly kind: AlertOwner["kind"];
  readonly id: string;
}

/** Returns the budgets of the rule's tenant that fit: of the keys that were used, of some others, and of what has open alerts. */
async function findBudgets(
  context: AlertContext,
  fits: (limit: LimitUsage) => boolean,
): Promise<readonly AlertFinding[]> {
  const found = new Map<string, AlertFinding>();
  for (const subject of await subjectsOf(context)) {
    for (const limit of await limitsOf(context, subject)) {
      const key = keyOf(limit);
      if (found.has(key) || limit.unit !== "cost" || (limit.max_nano ?? 0) === 0 || !fits(limit)) continue;
      const owner = await findOwner(context.records, limit);
      if (owner) found.set(key, toFinding(limit, owner));
    }
  }
  return [...found.values()];
}

/** What names a budget, whatever it holds and in which of its windows. */
function keyOf({ level, owner, duration, is_calendar, models = [], user }: LimitUsage): string {
  return JSON.stringify([level, owner, duration, is_calendar, models, user ?? null]);
}

function toFinding(limit: LimitUsage, { kind, id, name, link }: AlertOwner): AlertFinding {
  const { max_nano: max = 0, used_nano: used = 0 } = limit;
  const amounts = { used: inDollars(used), limit: inDollars(max), left: inDollars(Math.max(0, max - used)) };
  return {
    ...{ key: keyOf(limit), subject: id, link },
    params: { kind, name, percent: Math.floor((used * 100) / max), ...amounts },
  };
}

function inDollars(nano: number): string {
  return `$${toDollars(nano).toFixed(2)}`;
}

/** Returns whose limits are read: each with those above it. */
async function subjectsOf({ records, activity, open, cursor }: AlertContext): Promise<readonly BudgetSubject[]> {
  const used = activity.usedKeys(cursor);
  const page = await records.list("key", { limit: keysAtOnce, after: cursor.after });
  cursor.after = page.next;
  const keys = [...used, ...page.records.map(({ record }) => record.id)];
  const inScope = await Promise.all(keys.map(async (id) => ((await records.get("key", id)) ? [id] : [])));
  const alerted = open.flatMap(({ subject: id, params: { kind } }) => (isOwnerKind(kind) ? [{ kind, id }] : []));
  const subjects = [...new Set(inScope.flat())].map((id): BudgetSubject => ({ kind: "key", id }));
  return [...alerted, ...subjects];
}

function isOwnerKind(kind: unknown): kind is AlertOwner["kind"] {
  return kind === "key" || kind === "project" || kind === "customer";
}

/** Returns the limits of a subject and of what it belongs to; none where it was deleted meanwhile. */
async function limitsOf({ engine }: AlertContext, { kind, id }: BudgetSubject): Promise<readonly LimitUsage[]> {
  try {
    return await engine.usage.limits(id, kind);
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found") return [];
    throw thrown;
  }
}
