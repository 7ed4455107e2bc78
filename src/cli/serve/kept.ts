import type { Store } from "../../ports/store.ts";
import { defaultStore } from "../books/place.ts";
import { openStore } from "../books/store.ts";
import { type Opened, openEngine } from "../open-engine.ts";
import type { Terminal } from "../terminal.ts";
import type { ServeOptions } from "./open.ts";

/** An engine, and its store with the file as it was chosen, unless nothing is kept. */
interface OpenedOverStore {
  readonly opened: Opened;
  readonly kept: { readonly store: Store; readonly storeFile: string } | undefined;
}

/** Opens the engine over the store that the command line or the configuration names. */
export async function openKept(
  { file, store: asked }: Pick<ServeOptions, "file" | "store">,
  terminal: Terminal,
): Promise<OpenedOverStore> {
  let kept: OpenedOverStore["kept"];
  const opened = await openEngine(terminal, file, async (config) => {
    const storeFile = asked ?? config.store ?? defaultStore;
    if (storeFile === false) return undefined;
    const { store } = await openStore({ folder: terminal.folder, file: storeFile });
    kept = { store, storeFile };
    return store;
  });
  return { opened, kept };
}
