import type { Engine } from "../../index.ts";
import { createPortal, type Portal, type PortalOptions } from "../../portal/index.ts";
import type { Store } from "../../ports/store.ts";
import { namingFile } from "../config/origin.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { onlyPresent } from "../present.ts";
import { addressOf, placeOf } from "../serve/address.ts";
import type { Terminal } from "../terminal.ts";
import { openRegions, type RegionGround } from "./regions.ts";
import { readSecret } from "./secret.ts";

/** What a portal is opened over. */
export interface PortalGround {
  readonly engine: Engine;
  readonly store: Store;
  /** The store's file as it was chosen; absent where a database is the store. */
  readonly storeFile: string | undefined;
  readonly config: GatewayConfig;
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  /** Where the gateway listens, when that is known better than the configuration does. */
  readonly origin?: (() => string) | undefined;
  /** Told of each embedded cloud that is opened. */
  readonly onCloud?: RegionGround["onCloud"];
}

/** The portal of a store, with the regions of the configuration; throws `invalid_configuration` naming its file. */
export async function openPortal(
  terminal: Terminal,
  { engine, store, storeFile, config, file, ...ground }: PortalGround,
): Promise<Portal> {
  const secret = readSecret(terminal, storeFile);
  const { origin = () => addressOf(placeOf({}, config)), onCloud } = ground;
  const { tiers, uplift, backupPolicies } = config as Pick<PortalOptions, "tiers" | "uplift" | "backupPolicies">; // seam: the portal checks them
  return namingFile({ config, file }, async () => {
    const beside = { terminal, store, storeFile, secret, origin, ...onlyPresent({ onCloud }) };
    const regions = await openRegions(config, beside);
    return createPortal({ engine, store, regions, tiers, uplift, backupPolicies, secret });
  });
}
