import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { Store } from "../../engine/ports/store.ts";
import type { Engine } from "../../http/create-engine.ts";
import { createPortal, type Portal, type PortalOptions } from "../../portal/index.ts";
import { namingFile } from "../config/origin.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { needPackages } from "../needed-packages.ts";
import { addressOf, scopeOf } from "../network/address.ts";
import { onlyPresent } from "../present-options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openRegions, type RegionContext } from "./regions.ts";
import { readSecrets } from "./secret.ts";

/** What a portal is opened over. */
export interface PortalContext {
  readonly engine: Engine;
  readonly store: Store;
  /** The store's file as it was chosen; absent where a database is the store. */
  readonly storeFile: string | undefined;
  readonly config: CheckedConfig;
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  /** Where the gateway listens, when that is known better than the configuration does. */
  readonly origin?: (() => string) | undefined;
  /** Where the engine's prices come from. */
  readonly priceSource?: PortalOptions["priceSource"];
  /** Where the credentials of its providers come from. */
  readonly credentialSource?: PortalOptions["credentialSource"];
  /** Receives the entry of every secret that was read or made. */
  readonly onSecret?: PortalOptions["onSecret"];
  /** Receives each embedded cloud that is opened. */
  readonly onCloud?: RegionContext["onCloud"];
}

/** The portal of a store, with the regions of the configuration; throws `invalid_configuration` naming its file. */
export async function openPortal(
  terminal: Terminal,
  { engine, store, storeFile, config, file, ...context }: PortalContext,
): Promise<Portal> {
  const secrets = readSecrets(terminal, storeFile);
  const { origin = () => addressOf(scopeOf({}, config)), onCloud, onSecret, priceSource, credentialSource } = context;
  const { tiers, uplift, backupPolicies } = config as Pick<PortalOptions, "tiers" | "uplift" | "backupPolicies">; // seam: the portal checks them
  return namingFile({ config, file }, async () => {
    const extra = { terminal, store, storeFile, ...secrets, origin, ...onlyPresent({ onCloud }) };
    const regions = await openRegions(config, extra);
    const { keepAuditDays: auditDays, keepTaskDays: taskDays } = config.ledger ?? {};
    const retention = onlyPresent({ auditDays, taskDays });
    const { backupPlaces } = config;
    const settings = { engine, store, regions, tiers, uplift, backupPolicies, backupPlaces, ...secrets };
    const { publicUrl } = config;
    const sources = { priceSource, credentialSource };
    return createPortal({
      ...settings,
      retention,
      onSecret,
      ...sources,
      processFacts: terminal.processFacts,
      publicUrl,
      ...(await openSenders(config)),
      ...(await openLogins(config)),
    });
  });
}

/** Opens the OpenID providers that users log in at. */
async function openLogins({ oidc: providers = [] }: CheckedConfig): Promise<Pick<PortalOptions, "logins">> {
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
async function openSenders({
  webhooks: { allow } = { allow: [] },
  mail,
}: CheckedConfig): Promise<Pick<PortalOptions, "webhooks" | "mails">> {
  const { webhook } = await import("tollgate/messages/webhook");
  if (mail === undefined) return { webhooks: webhook({ allow }) };
  const { smtp } = await import("tollgate/messages/smtp");
  return { webhooks: webhook({ allow }), mails: smtp(mail) };
}
