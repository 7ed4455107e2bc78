import { createHmac } from "node:crypto";

/**
 * Returns the value of `x-tg-signature`: `t=<seconds since the epoch>,v1=<hexadecimal HMAC-SHA256>`. Signed is `<t>.<body>`, with the
 * channel's secret as the key, so that a receiver can refuse a message that is old or was changed.
 */
export function signWebhook({
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
