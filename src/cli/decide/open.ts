import { type OpenedEngine, openEngine } from "../open-engine.ts";
import { defaultStore } from "../store/location.ts";
import { openStore, sharedWithGateway } from "../store/store.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** An engine with the providers of this machine over a store that a running gateway may share. Its calls have no rows in the ledger there. */
export function openOverSharedStore(
  terminal: Terminal,
  file: string | undefined,
  storeOption: string | undefined,
): Promise<OpenedEngine> {
  return openEngine(terminal, file, async ({ config }) => {
    const choice = storeOption ?? (config.store || defaultStore);
    const { store } = await openStore({ folder: terminal.folder, choice, createIfMissing: true });
    return sharedWithGateway(store);
  });
}
