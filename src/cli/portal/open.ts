import type { Engine } from "../../index.ts";
import { createPortal, operator, type Portal, type PortalOptions } from "../../portal/index.ts";
import type { Store } from "../../ports/store.ts";
import { defaultStore } from "../books/place.ts";
import { besideGateway, openExistingStore, openStore } from "../books/store.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { openEngine } from "../open-engine.ts";
import { onlyPresent } from "../present.ts";
import { addressOf, placeOf } from "../serve/address.ts";
import type { Terminal } from "../terminal.ts";
import { openRegions, type RegionGround } from "./regions.ts";
import { readSecret } from "./secret.ts";

/** What a portal is opened over. */
export interface PortalGround {
  readonly engine: Engine;
  readonly store: Store;
  /** The store's file as it was chosen. */
  readonly storeFile: string;
  readonly config: GatewayConfig;
  /** Where the gateway listens, when that is known better than the configuration does. */
  readonly origin?: (() => string) | undefined;
  /** Told of each embedded cloud that is opened. */
  readonly onCloud?: RegionGround["onCloud"];
}

/** The portal of a store file, with the regions of the configuration. */
export async function openPortal(
  terminal: Terminal,
  { engine, store, storeFile, config, ...ground }: PortalGround,
): Promise<Portal> {
  const secret = readSecret(terminal, storeFile);
  const { origin = () => addressOf(placeOf({}, config)), onCloud } = ground;
  const regions = await openRegions(config, {
    terminal,
    store,
    storeFile,
    secret,
    origin,
    ...onlyPresent({ onCloud }),
  });
  const { tiers, uplift, backupPolicies } = config as Pick<PortalOptions, "tiers" | "uplift" | "backupPolicies">; // seam: the portal checks them
  return createPortal({
    engine,
    store,
    regions,
    tiers,
    uplift,
    backupPolicies,
    secret,
  });
}

/** Where the portal is, as the command line says. */
export interface PortalPlace {
  readonly store?: string;
  readonly config?: string;
  /** Makes the store when it is not there. */
  readonly isMade?: boolean;
  /** True where no gateway can be serving from it: the ledger may be written. */
  readonly isAlone?: boolean;
  /** Told of each embedded cloud that is opened. */
  readonly onCloud?: RegionGround["onCloud"];
}

/** What is done with a portal beside the gateway that may be serving from the same store; resolves with the exit code. */
export type PortalWork = (portal: Portal, caller: typeof operator, store: Store) => Promise<number>;

/** Opens the portal of a store file as its operator, does the work, and lets go. */
export async function workOnPortal(terminal: Terminal, place: PortalPlace, work: PortalWork): Promise<number> {
  let ground: Pick<PortalGround, "store" | "storeFile"> | undefined;
  const { engine, config } = await openEngine(terminal, place.config, async (settings) => {
    const storeFile = place.store ?? (settings.store || defaultStore);
    const at = { folder: terminal.folder, file: storeFile };
    const { store } = await (place.isMade ? openStore(at) : openExistingStore(at));
    ground = { store: place.isAlone ? store : besideGateway(store), storeFile };
    return ground.store;
  });
  try {
    if (!ground) throw new TypeError("the engine was opened without its store");
    const { onCloud } = place;
    return await work(await openPortal(terminal, { engine, config, onCloud, ...ground }), operator, ground.store);
  } finally {
    await engine.close({ graceMs: 0 });
  }
}
