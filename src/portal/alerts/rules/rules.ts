import { GatewayError } from "../../../engine/errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Alert, AlertRule } from "../../../operations/portal/console/alerts.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type {
  AlertKind,
  AlertParams,
  StoredAlert,
  StoredAlertRule,
} from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import { type PortalCall, scopeAt } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import { languageOf, textsAt } from "../../i18n/reader.ts";
import { renderText } from "../../locales/render.ts";
import type { AreaBackend } from "../../regions.ts";
import { add, change, read, readAll } from "../../tenancy/record-access.ts";
import { contains, depthOf, type ScopedRecord, toScope } from "../../tenancy/tenant-scope.ts";
import { checkRoom } from "../room.ts";
import { alertSources } from "../sources/sources.ts";

/** Rules at one place in the tree of tenants. */
const mostRules = 100;

/** Alerts and their rules. */
export function rulesOf(deps: PortalDeps) {
  return {
    list: ({ status }, call) => listAlerts(status, call),
    rules: async (_input, call) => (await readListed(call, "alert_rule")).map(showRule),
    async createRule({ name, kind, channels = [], enabled = true, ...fields }, call) {
      checkPermission(kind, call);
      const scope = scopeAt(call.caller.scope);
      await checkChannels(channels, scope, call);
      const params = readParams(kind, fields, alertSources[kind].defaults);
      await checkRoom(call, { kind: "alert_rule", most: mostRules });
      const created_at = new Date(call.now).toISOString();
      const own = { id: deps.newId("alrl"), created_at, ...scope };
      const rule: StoredAlertRule = { ...own, name, kind, params, channels: [...new Set(channels)], enabled };
      await add(call.records, "alert_rule", rule);
      return showRule(rule);
    },
    changeRule: (input, call) => changeRule(input, call),
    async deleteRule({ alert_rule_id: id }, call) {
      await read(call.records, "alert_rule", id);
      for (const alert of await readAll(call.records, "alert", { rule_id: id }))
        await call.records.remove("alert", alert.id);
      await call.records.remove("alert_rule", id);
    },
  } satisfies Partial<AreaBackend<"alerts">>;
}

type RulePatch = InputOf<Areas["alerts"]["changeRule"]>;

/** Changes a rule. The alerts of one that is disabled end without a message. */
async function changeRule({ alert_rule_id: id, name, channels, enabled, ...fields }: RulePatch, call: PortalCall) {
  const present = await read(call.records, "alert_rule", id);
  const { kind, params: before } = present;
  checkPermission(kind, call);
  if (channels) await checkChannels(channels, present, call);
  const params = readParams(kind, fields, before);
  const changed = await change(call.records, "alert_rule", {
    id,
    by: (rule) => ({
      ...rule,
      ...{ params, name: name ?? rule.name, enabled: enabled ?? rule.enabled },
      channels: channels ? [...new Set(channels)] : rule.channels,
    }),
  });
  if (!changed.enabled) await endAlerts(call, id);
  return showRule(changed);
}

async function endAlerts({ records, now }: PortalCall, rule_id: string): Promise<void> {
  const resolved_at = new Date(now).toISOString();
  for (const { id } of await readAll(records, "alert", { rule_id, status: "open" }))
    await change(records, "alert", {
      id,
      by: (alert) => ({ ...alert, status: "resolved", resolved_at, observers: {} }),
    });
}

/** Throws `permission_denied` for a rule about what the caller may not read. */
function checkPermission(kind: AlertKind, { caller }: PortalCall): void {
  const { permission } = alertSources[kind];
  if (caller.permissions.has(permission)) return;
  const message = `A rule of the kind \`${kind}\` needs the permission \`${permission}\`.`;
  throw new GatewayError("permission_denied", message, { param: "kind" });
}

/** Returns the parameters of a rule. Throws `invalid_request` for one that its kind does not have. */
function readParams(kind: AlertKind, fields: AlertParams, before: AlertParams): AlertParams {
  const known = Object.keys(alertSources[kind].defaults);
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  for (const [param] of named) {
    if (known.includes(param)) continue;
    const list = known.length === 0 ? "none" : known.map((name) => `\`${name}\``).join(", ");
    const message = `\`${param}\`: is no parameter of the kind \`${kind}\`, which has ${list}.`;
    throw new GatewayError("invalid_request", message, { param });
  }
  return { ...before, ...Object.fromEntries(named) };
}

/** Throws `invalid_request` for a channel that is not at the rule's own place: who sees the one must see the other. */
async function checkChannels(channels: readonly string[], place: ScopedRecord, { records }: PortalCall): Promise<void> {
  for (const id of channels) {
    const channel = (await records.get("alert_channel", id))?.record;
    if (channel && contains(toScope(place), channel) && depthOf(channel) === depthOf(place)) continue;
    const message = `\`channels\`: there is no channel \`${id}\` at the place of the rule.`;
    throw new GatewayError("invalid_request", message, { param: "channels" });
  }
}

/** Returns a rule as callers see it. */
function showRule({
  id,
  created_at,
  name,
  kind,
  params,
  channels,
  enabled,
  reseller,
  client_id,
}: StoredAlertRule): AlertRule {
  const shown = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
  return { id, created_at, name, kind, ...shown, channels: [...channels], enabled, reseller, client_id };
}

/** Returns the caller's alerts, in the language of the reader. */
async function listAlerts(status: StoredAlert["status"] | undefined, call: PortalCall): Promise<Alert[]> {
  const found = await readListed(call, "alert", status === undefined ? undefined : { status });
  const { allRecords, caller } = call;
  const texts = await textsAt(allRecords, await languageOf(allRecords, call), caller.scope);
  return found.map((alert) => showAlert(alert, texts));
}

function showAlert(alert: StoredAlert, texts: ReadonlyMap<string, string>): Alert {
  const { id, rule_id, rule, kind, subject, status, occurrence, opened_at, resolved_at, link } = alert;
  const text = renderText(texts.get(`notice.alert.${kind}`) ?? kind, { ...alert.params, rule }, texts);
  return {
    ...{ id, rule_id, rule, kind, subject, status, text, occurrence, opened_at, resolved_at },
    ...(link === undefined ? {} : { link }),
    ...{ reseller: alert.reseller, client_id: alert.client_id },
  };
}
