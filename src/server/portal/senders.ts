import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { PortalOptions } from "../../portal/index.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { needPackages } from "../needed-packages.ts";

/** Opens the OpenID providers that users log in at. */
export async function openLogins({ oidc: providers = [] }: CheckedConfig): Promise<Pick<PortalOptions, "logins">> {
  if (providers.length === 0) return {};
  needPackages("oidc", "openid-client"); // loaded at the first login only, but its absence is reported now
  const { oidc } = await import("tollgate/identity/oidc");
  return { logins: providers.map((each, position) => namingField(`oidc.${position}`, () => oidc(each as never))) };
}

/** Runs what checks one entry of a list; its error names the entry. */
function namingField<Value>(field: string, open: () => Value): Value {
  try {
    return open();
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown;
    const { code, message, param } = thrown;
    throw new GatewayError(code, message, { param: param === undefined ? field : `${field}.${param}`, cause: thrown });
  }
}

/** Opens what sends the portal's webhooks, and its mails where the configuration has a server for them. */
export async function openSenders({
  webhooks: { allow } = { allow: [] },
  mail,
}: CheckedConfig): Promise<Pick<PortalOptions, "webhooks" | "mails">> {
  const { webhook } = await import("tollgate/messages/webhook");
  if (mail === undefined) return { webhooks: webhook({ allow }) };
  const { smtp } = await import("tollgate/messages/smtp");
  return { webhooks: webhook({ allow }), mails: smtp(mail) };
}
