import { hash } from "node:crypto";
import type { RecordChange, Records, Stored } from "../../../engine/ports/records.ts";
import { retryOnConflict, versionConflict } from "../../../engine/runtime/version-conflict.ts";
import type {
  AlertMessage,
  StoredAlert,
  StoredAlertDelivery,
  StoredAlertRule,
} from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import type { AlertFinding } from "../sources/source.ts";
import { observeAlert } from "./state.ts";

/** Messages that may wait for one channel; more are dropped and counted. */
const mostPending = 100;

export type TransitionDeps = Pick<PortalDeps, "records" | "notify" | "newId">;

/** What was seen of one subject of a rule. */
export interface Sighting {
  readonly rule: StoredAlertRule;
  /** The id of the alert: {@link alertIdOf}. */
  readonly id: string;
  /** Undefined where the condition does not hold. */
  readonly finding: AlertFinding | undefined;
  readonly observer: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the id of the alert of a rule and a subject. */
export function alertIdOf(ruleId: string, key: string): string {
  return `alr_${hash("sha256", JSON.stringify([ruleId, key]), "hex").slice(0, 24)}`;
}

/**
 * Takes in what was seen. A new alert, or the end of one, is stored in one batch with its messages to the rule's channels, so that each is
 * sent by one process and lost by none; then it becomes a notification.
 */
export async function recordSighting(deps: TransitionDeps, seen: Sighting): Promise<void> {
  const outcome = await retryOnConflict(async () => {
    const present = await deps.records.get("alert", seen.id);
    const step = observeAlert(present?.record, { ...seen, isFiring: seen.finding !== undefined });
    if (!step) return undefined;
    const alert: StoredAlert = { ...describeAlert(seen, present), ...step.state };
    const change = { kind: "alert", put: alert, expected: present?.version ?? 0 } as const;
    const message = step.message && toMessage(alert, `alert.${step.message}`, seen.now);
    const deliveries = message ? await toDeliveries(deps, seen, message) : [];
    const written = await deps.records.batch([change, ...deliveries]);
    return written.kind === "stored" ? { alert, message } : versionConflict;
  });
  if (outcome?.message) await notifyOf(deps, outcome.alert, outcome.message.type);
}

function describeAlert({ rule, id, finding, now }: Sighting, present: Stored<"alert"> | undefined) {
  const { id: rule_id, name, kind, reseller, client_id } = rule;
  const { subject = "", params = {}, link } = finding ?? present?.record ?? {};
  return {
    ...{ id, created_at: present?.record.created_at ?? new Date(now).toISOString() },
    ...{ reseller, client_id, user_id: rule.user_id ?? null, rule_id, rule: name, kind, subject, params },
    ...(link === undefined ? {} : { link }),
  };
}

function toMessage(alert: StoredAlert, type: AlertMessage["type"], now: number): AlertMessage {
  const { id, rule_id, rule, kind, subject, occurrence, opened_at, resolved_at, params } = alert;
  return {
    ...{ type, created_at: new Date(now).toISOString() },
    alert: { id, rule_id, rule, kind, subject, occurrence, opened_at, resolved_at, params },
  };
}

/** Returns the messages to the channels of the rule that are there and enabled, and counts those for which there is no room. */
async function toDeliveries(
  deps: TransitionDeps,
  { rule, now }: Sighting,
  message: AlertMessage,
): Promise<RecordChange[]> {
  const changes: RecordChange[] = [];
  for (const channel_id of new Set(rule.channels)) {
    const channel = (await deps.records.get("alert_channel", channel_id))?.record;
    if (!channel?.enabled) continue;
    const { reseller, client_id } = channel;
    const scope = { reseller, client_id, user_id: channel.user_id ?? null };
    if ((await deps.records.count("alert_delivery", { channel_id })) >= mostPending) {
      await countDropped(deps.records, channel_id);
      continue;
    }
    const queued = { id: deps.newId("ald"), created_at: message.created_at, ...scope };
    const put: StoredAlertDelivery = { ...queued, channel_id, message, attempts: 0, next_at: now };
    changes.push({ kind: "alert_delivery", put, expected: 0 });
  }
  return changes;
}

async function countDropped(records: Records, channelId: string): Promise<void> {
  await retryOnConflict(async () => {
    const present = await records.get("alert_channel_state", channelId);
    if (!present) return undefined;
    const counted = { ...present.record, dropped: present.record.dropped + 1 };
    const outcome = await records.put("alert_channel_state", counted, present.version);
    return outcome.kind === "moved" && outcome.version > 0 ? versionConflict : undefined;
  });
}

async function notifyOf({ notify }: TransitionDeps, alert: StoredAlert, message: AlertMessage["type"]): Promise<void> {
  const { id, occurrence, rule, kind, subject, params, link } = alert;
  const isOpen = message === "alert.triggered";
  await notify({
    ...{ type: isOpen ? "alert_triggered" : "alert_resolved", subject, event: JSON.stringify([id, occurrence]) },
    ...(isOpen
      ? { key: `notice.alert.${kind}` as const, params: { ...params, rule } }
      : { key: "notice.alert_resolved" as const, params: { ...params, rule } }),
    ...{ link, scope: alert },
  });
}
