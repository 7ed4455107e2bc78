import type { Alert, AlertRule } from "../../../operations/portal/console/alerts.ts";
import type { StoredAlert, StoredAlertRule } from "../../../operations/records/alerts/alerts.ts";
import type { PortalCall } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import { languageOf, textsAt } from "../../i18n/reader.ts";
import { renderText } from "../../locales/render.ts";

/** Returns a rule as callers see it. */
export function showRule({
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
export async function listAlerts(status: StoredAlert["status"] | undefined, call: PortalCall): Promise<Alert[]> {
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
