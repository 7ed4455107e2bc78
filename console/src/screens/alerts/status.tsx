import { text } from "../../i18n/texts.ts";
import { Badge } from "../../parts/values.tsx";
import type { AlertChannel } from "./alert.ts";

/** The state of what can be switched off. */
export function EnabledBadge({ isOn }: { readonly isOn: boolean }) {
  return <Badge mood={isOn ? "good" : "plain"}>{text(isOn ? "label.active" : "keys.disabled")}</Badge>;
}

/** Where a channel leads to, in words. */
export function addressOf({ url, to }: Pick<AlertChannel, "url" | "to">): string {
  return url ?? to?.join(", ") ?? "";
}

/** How the deliveries of a channel go. */
export function DeliveryBadge({ channel }: { readonly channel: AlertChannel }) {
  const { last_error, last_attempt_at, pending } = channel;
  if (last_error !== null) return <Badge mood="bad">{text("alerts.failing")}</Badge>;
  if (last_attempt_at === null) return <Badge>{text(pending > 0 ? "alerts.waiting" : "alerts.unused")}</Badge>;
  return <Badge mood="good">{text("alerts.delivered")}</Badge>;
}
