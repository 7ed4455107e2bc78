import { operator, type Portal } from "../../portal/index.ts";
import { defaultStore, type OpenedStore } from "../books/place.ts";
import { besideGateway, openStore } from "../books/store.ts";
import { openEngine } from "../open-engine.ts";
import type { Terminal } from "../terminal.ts";
import { openPortal, type PortalGround } from "./open.ts";

/** Where the portal is, as the command line says. */
export interface PortalPlace {
  readonly store?: string;
  readonly config?: string;
  /** Makes the store when it is not there. */
  readonly isMade?: boolean;
  /** True where no gateway can be serving from it: the ledger may be written. */
  readonly isAlone?: boolean;
  /** Told of each embedded cloud that is opened. */
  readonly onCloud?: PortalGround["onCloud"];
}

/** What a portal that is worked on was opened with. */
export interface PortalBase extends Pick<OpenedStore, "store" | "storeName"> {
  readonly config: PortalGround["config"];
}

/** What is done with a portal beside the gateway that may be serving from the same store; resolves with the exit code. */
export type PortalWork = (portal: Portal, caller: typeof operator, base: PortalBase) => Promise<number>;

/** Opens the portal of a store as its operator, does the work, and lets go. */
export async function workOnPortal(terminal: Terminal, place: PortalPlace, work: PortalWork): Promise<number> {
  let ground: OpenedStore | undefined;
  const { engine, config, file } = await openEngine(terminal, place.config, async ({ config: settings }) => {
    const choice = place.store ?? (settings.store || defaultStore);
    const { folder } = terminal;
    const opened = await openStore({ folder, choice, isMade: place.isMade === true });
    ground = place.isAlone ? opened : { ...opened, store: besideGateway(opened.store) };
    return ground.store;
  });
  try {
    if (!ground) throw new TypeError("the engine was opened without its store");
    const { onCloud } = place;
    const portal = await openPortal(terminal, { engine, config, file, onCloud, ...ground });
    return await work(portal, operator, { ...ground, config });
  } finally {
    await engine.close({ graceMs: 0 });
  }
}
