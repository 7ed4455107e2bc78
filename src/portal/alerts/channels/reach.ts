import { GatewayError } from "../../../engine/errors.ts";
import type { StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import { mailMissing, webhooksMissing } from "./send.ts";

/** Where a channel leads to. */
type ReachFields = Pick<StoredAlertChannel, "kind" | "url" | "to" | "language">;

/** Throws `invalid_request` for fields that a channel of the kind lacks or does not have, `not_implemented` where none can be served. */
export function checkReach({ webhooks, mails }: PortalDeps, { kind, url, to }: ReachFields): void {
  const [needed, other] = kind === "webhook" ? (["url", "to"] as const) : (["to", "url"] as const);
  const fields = { url, to };
  if (fields[needed] === undefined) throw refuse(needed, `is required for a channel of the kind \`${kind}\`.`);
  if (fields[other] !== undefined) throw refuse(other, `a channel of the kind \`${kind}\` has none.`);
  if (kind === "mail" && !mails) throw mailMissing();
  if (kind === "webhook" && !webhooks) throw webhooksMissing();
  if (url !== undefined) webhooks?.check(url);
}

/** The fields of where a channel leads to that are given. */
export function reachOf({ url, to, language }: Omit<ReachFields, "kind">) {
  return {
    ...(url === undefined ? {} : { url }),
    ...(to === undefined ? {} : { to: [...new Set(to)] }),
    ...(language === undefined ? {} : { language }),
  };
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}`, { param });
}
