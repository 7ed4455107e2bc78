import type { GatewayConfig } from "../../config/shape.ts";
import type { PortalOptions } from "../../portal/index.ts";

/** Opens what sends the portal's webhooks, and its mails where the configuration has a server for them. */
export async function openSenders({
  webhooks: { allow } = { allow: [] },
  mail,
}: GatewayConfig): Promise<Pick<PortalOptions, "webhooks" | "mails">> {
  const { webhook } = await import("tollgate/messages/webhook");
  if (mail === undefined) return { webhooks: webhook({ allow }) };
  const { smtp } = await import("tollgate/messages/smtp");
  return { webhooks: webhook({ allow }), mails: smtp(mail) };
}
