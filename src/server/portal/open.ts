import type { Store } from "../../engine/ports/store.ts";
import type { Engine } from "../../http/create-engine.ts";
import { createPortal, type Portal, type PortalOptions } from "../../portal/index.ts";
import { namingFile } from "../config/origin.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { addressOf, scopeOf } from "../network/address.ts";
import { onlyPresent } from "../present-options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openRegions, type RegionContext } from "./regions.ts";
import { readSecrets } from "./secret.ts";
import { openLogins, openSenders } from "./senders.ts";

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
