import type { Store } from "../../engine/ports/store.ts";
import { type OpenedEngine, openEngine } from "../../server/open-engine.ts";
import { defaultStore } from "../../server/store/location.ts";
import { openStore, sharedWithGateway } from "../../server/store/store.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";

/** An engine with the providers of this machine over a store that a running gateway may share. Its calls have no rows in the ledger there. */
export function openOverSharedStore(
  terminal: Terminal,
  file: string | undefined,
  storeOption: string | undefined,
): Promise<OpenedEngine> {
  return openEngine(terminal, file, ({ config }) => openSharedStore(terminal, storeOption ?? config.store));
}

/** The store that a running gateway may share; the default one where none is chosen. */
export async function openSharedStore({ folder }: Terminal, choice: string | false | undefined): Promise<Store> {
  const { store } = await openStore({ folder, choice: choice || defaultStore, createIfMissing: true });
  return sharedWithGateway(store);
}
