import { createHmac } from "node:crypto";
import { GatewayError, isGatewayError } from "../../../engine/errors.ts";
import type { AlertMessage, StoredAlertChannel } from "../../../operations/records/alerts/alerts.ts";
import type { PortalDeps } from "../../area.ts";
import { webhookPlace } from "../../call/sealed-places.ts";
import { languageOf, textsAt } from "../../i18n/reader.ts";
import { renderText } from "../../locales/render.ts";
import { toScope } from "../../tenancy/tenant-scope.ts";
import { wholeUrl } from "./webhook-url.ts";

export type SendDeps = Pick<PortalDeps, "records" | "secrets" | "clock" | "webhooks" | "mails">;

/** A message on its way to a channel. */
export interface AlertSending {
  readonly channel: StoredAlertChannel;
  /** The same for all attempts of a message. */
  readonly deliveryId: string;
  readonly message: AlertMessage;
}

/** How an attempt ended. The error says nothing of what stands in the answer of the other side. */
export type SendOutcome =
  | { readonly isDelivered: true; readonly status?: number | undefined }
  | { readonly isDelivered: false; readonly status?: number | undefined; readonly error: string };

/** Sends a message once. Never rejects for what the other side does. */
export async function sendMessage(deps: SendDeps, sending: AlertSending): Promise<SendOutcome> {
  try {
    const texts = await writeTexts(deps, sending);
    return sending.channel.kind === "mail"
      ? await sendMail(deps, sending, texts)
      : await postWebhook(deps, sending, texts);
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    return { isDelivered: false, error: `${thrown.code}: ${thrown.message}`.slice(0, 500) };
  }
}

interface MessageTexts {
  readonly subject: string;
  readonly text: string;
}

/** Writes the texts in the language of the channel, or of its tenant. */
async function writeTexts({ records }: SendDeps, { channel, message }: AlertSending): Promise<MessageTexts> {
  const scope = toScope(channel);
  const lang = channel.language ?? (await languageOf(records, { caller: { user: { id: "", username: "" }, scope } }));
  const texts = await textsAt(records, lang, scope);
  const { rule, kind, params } = message.alert;
  const keys = {
    "alert.triggered": `notice.alert.${kind}`,
    "alert.resolved": "notice.alert_resolved",
    "alert.test": "notice.alert_test",
  } as const;
  const write = (key: string) => renderText(texts.get(key) ?? key, { ...params, rule }, texts);
  const heading = message.type === "alert.triggered" ? "notification.alert_triggered" : "notification.alert_resolved";
  const subject = message.type === "alert.test" ? write("notice.alert_test") : `${write(heading)}: ${rule}`;
  return { subject, text: write(keys[message.type]) };
}

async function sendMail(
  { mails }: SendDeps,
  { channel }: AlertSending,
  { subject, text }: MessageTexts,
): Promise<SendOutcome> {
  if (!mails) throw mailMissing();
  await mails.send({
    to: channel.to ?? [],
    subject: subject.replace(/[\r\n]+/g, " ").slice(0, 200),
    text: `${text}\n`,
  });
  return { isDelivered: true };
}

/** Returns the error for a mail without settings to send it with. */
export function mailMissing(): GatewayError {
  const message =
    "Mails cannot be sent: the configuration has no `mail` with `url` and `from` (docs/configuration.md).";
  return new GatewayError("not_implemented", message, { param: "mail" });
}

/** Returns the error for a webhook in a portal that sends none. */
export function webhooksMissing(): GatewayError {
  const message =
    "Webhooks cannot be sent: the portal was opened without `webhooks`, e.g. `webhook()` of `tollgate/messages/webhook`.";
  return new GatewayError("not_implemented", message, { param: "webhooks" });
}

async function postWebhook(deps: SendDeps, sending: AlertSending, { text }: MessageTexts): Promise<SendOutcome> {
  const { channel, deliveryId, message } = sending;
  if (!deps.webhooks) throw webhooksMissing();
  const secret = deps.secrets.open(channel.sealed_secret ?? "", webhookPlace(channel.id));
  const { reseller, client_id } = channel;
  const body = JSON.stringify({ id: deliveryId, ...message, text, tenant: { reseller, client_id } });
  const headers = {
    "content-type": "application/json",
    "user-agent": "tollgate",
    "x-tg-delivery": deliveryId,
    "x-tg-signature": signWebhook({ secret, body, now: deps.clock.now() }),
  };
  const { status } = await deps.webhooks.post({ url: wholeUrl(deps.secrets, channel) ?? "", headers, body });
  if (status >= 200 && status < 300) return { isDelivered: true, status };
  return { isDelivered: false, status, error: `The receiver answered with status ${status}.` };
}

/**
 * Returns the value of `x-tg-signature`: `t=<seconds since the epoch>,v1=<hexadecimal HMAC-SHA256>`. Signed is `<t>.<body>`, with the
 * channel's secret as the key, so that a receiver can refuse a message that is old or was changed.
 */
function signWebhook({
  secret,
  body,
  now,
}: {
  readonly secret: string;
  readonly body: string;
  readonly now: number;
}): string {
  const seconds = Math.floor(now / 1_000);
  const mac = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${mac}`;
}
