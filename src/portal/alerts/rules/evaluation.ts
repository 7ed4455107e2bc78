import type { Stored } from "../../../engine/ports/records.ts";
import type { StoredAlert, StoredAlertRule } from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { scopedRecords, toScope } from "../../tenancy/tenant-scope.ts";
import { refuseTenant } from "../../tenancy/tenant-state.ts";
import { type ActivityLog, createActivityLog } from "../sources/activity.ts";
import type { AlertFinding } from "../sources/source.ts";
import { alertSources } from "../sources/sources.ts";
import { alertIdOf, recordSighting } from "./transition.ts";

/** Milliseconds from the end of one evaluation of all rules to the next. */
export const evaluateEveryMs = 30_000;

/** Findings of one rule that become alerts; those beyond wait until others are resolved. */
const mostOfRule = 200;

type EvaluationDeps = Pick<PortalDeps, "engine" | "records" | "notify" | "newId" | "clock">;

/** What an evaluation remembers of a rule until the next. */
interface RuleProgress {
  readonly version: number;
  lookedAt: number;
  readonly cursor: { after?: string | undefined };
}

interface Evaluator extends EvaluationDeps {
  readonly activity: ActivityLog;
  /** Tells this process from others. */
  readonly observer: string;
}

/**
 * Returns what evaluates all enabled rules. It rejects with the first error once all have been looked at: a rule that cannot be looked at
 * keeps its alerts as they are. Without rules, it reads nothing but a stamp, and no event is listened to.
 */
export function createEvaluation(deps: EvaluationDeps): () => Promise<void> {
  const activity = createActivityLog(deps.engine);
  const evaluator: Evaluator = { ...deps, activity, observer: deps.newId("prc") };
  let rules: readonly Stored<"alert_rule">[] = [];
  let stamp: number | undefined;
  let progress = new Map<string, RuleProgress>();
  return async () => {
    const current = deps.records.stamp(["alert_rule"]);
    if (current !== stamp) rules = await readRules(deps);
    stamp = current;
    if (rules.length === 0) return activity.stop();
    activity.start();
    progress = new Map(rules.map((rule) => [rule.record.id, progressOf(rule, progress.get(rule.record.id))]));
    const errors: unknown[] = [];
    for (const { record: rule } of rules) {
      const own = progress.get(rule.id);
      const now = deps.clock.now();
      if (!own || now - own.lookedAt < alertSources[rule.kind].everyMs) continue;
      own.lookedAt = now;
      await evaluateRule(evaluator, rule, own).catch((thrown: unknown) => errors.push(thrown));
    }
    if (errors.length > 0) throw errors[0];
  };
}

/** A rule that was changed is looked at at once, from the beginning. */
function progressOf({ version }: Stored<"alert_rule">, present: RuleProgress | undefined): RuleProgress {
  return present?.version === version ? present : { version, lookedAt: Number.NEGATIVE_INFINITY, cursor: {} };
}

async function readRules({ records }: EvaluationDeps): Promise<Stored<"alert_rule">[]> {
  const rules: Stored<"alert_rule">[] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list("alert_rule", { limit: 1_000, after });
    rules.push(...page.records.filter(({ record }) => record.enabled && Object.hasOwn(alertSources, record.kind)));
    if (page.next === undefined) return rules;
    after = page.next;
  }
}

async function evaluateRule(deps: Evaluator, rule: StoredAlertRule, { cursor }: RuleProgress): Promise<void> {
  if (await refuseTenant(deps.records, rule)) return;
  const source = alertSources[rule.kind];
  const now = deps.clock.now();
  const alerts = await readAll(deps.records, "alert", { rule_id: rule.id, status: "open" });
  const { engine, activity } = deps;
  const found = await source.find({
    ...{ engine, activity, records: scopedRecords(deps.records, toScope(rule)), params: rule.params },
    ...{ since: Date.parse(rule.created_at), now, open: alerts, cursor },
  });
  const observer = source.isShared ? "store" : deps.observer;
  const byId = new Map(found.map((finding) => [alertIdOf(rule.id, finding.key), finding]));
  for (const { id } of alerts) await recordSighting(deps, { rule, id, finding: byId.get(id), observer, now });
  for (const [id, finding] of newFindings(byId, alerts))
    await recordSighting(deps, { rule, id, finding, observer, now });
}

function newFindings(found: ReadonlyMap<string, AlertFinding>, open: readonly StoredAlert[]): [string, AlertFinding][] {
  const present = new Set(open.map(({ id }) => id));
  return [...found].filter(([id]) => !present.has(id)).slice(0, Math.max(0, mostOfRule - open.length));
}
