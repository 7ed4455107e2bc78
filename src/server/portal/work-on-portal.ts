import { operator, type Portal } from "../../portal/index.ts";
import { openEngine } from "../open-engine.ts";
import { defaultStore, type OpenedStore } from "../store/location.ts";
import { openStore, sharedWithGateway } from "../store/store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openPortal, type PortalContext } from "./open.ts";

/** The location of the portal's store, from the command line. */
export interface PortalLocation {
  readonly store?: string;
  readonly config?: string;
  /** Makes the store when it is not there. */
  readonly createIfMissing?: boolean;
  /** True where no gateway can be serving from it: the ledger may be written. */
  readonly isExclusive?: boolean;
  /** Receives each embedded cloud that is opened. */
  readonly onCloud?: PortalContext["onCloud"];
}

/** What a portal that is worked on was opened with. */
export interface PortalBase extends Pick<OpenedStore, "store" | "storeName"> {
  readonly engine: PortalContext["engine"];
  readonly config: PortalContext["config"];
  /** The configuration file; undefined where there is none. */
  readonly configFile: string | undefined;
}

/** Work on a portal whose store a running gateway may share. Resolves with the exit code. */
export type PortalWork = (portal: Portal, caller: typeof operator, base: PortalBase) => Promise<number>;

/** Opens the portal of a store as its operator, does the work, and lets go. */
export async function workOnPortal(terminal: Terminal, location: PortalLocation, work: PortalWork): Promise<number> {
  let context: OpenedStore | undefined;
  const { engine, config, file } = await openEngine(terminal, location.config, async ({ config: settings }) => {
    const choice = location.store ?? (settings.store || defaultStore);
    const { folder } = terminal;
    const opened = await openStore({ folder, choice, createIfMissing: location.createIfMissing === true });
    context = location.isExclusive ? opened : { ...opened, store: sharedWithGateway(opened.store) };
    return context.store;
  });
  try {
    if (!context) throw new TypeError("the engine was opened without its store");
    const { onCloud } = location;
    const portal = await openPortal(terminal, { engine, config, file, onCloud, ...context });
    return await work(portal, operator, { ...context, engine, config, configFile: file });
  } finally {
    await engine.close({ graceMs: 0 });
  }
}
