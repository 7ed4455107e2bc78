import type { Store } from "../../ports/store.ts";
import { defaultStore } from "../books/place.ts";
import { openStore } from "../books/store.ts";
import { type Opened, openEngine } from "../open-engine.ts";
import type { Terminal } from "../terminal.ts";
import { placeOf } from "./address.ts";
import type { ServeOptions } from "./open.ts";
import { tryPlace } from "./server.ts";

/** An engine, and its store with the file as it was chosen, unless nothing is kept. */
interface OpenedOverStore {
  readonly opened: Opened;
  readonly kept: { readonly store: Store; readonly storeFile: string } | undefined;
}

/**
 * Opens the engine over the store that the command line or the configuration names. Where the port cannot be had, no store is made: it
 * would be an empty one, without its first key.
 */
export async function openKept(options: ServeOptions, terminal: Terminal): Promise<OpenedOverStore> {
  const { file, store: asked } = options;
  let kept: OpenedOverStore["kept"];
  const opened = await openEngine(terminal, file, async (config) => {
    const storeFile = asked ?? config.store ?? defaultStore;
    if (storeFile === false) return undefined;
    await tryPlace(placeOf(options, config));
    const { store } = await openStore({ folder: terminal.folder, file: storeFile });
    kept = { store, storeFile };
    return store;
  });
  return { opened, kept };
}
