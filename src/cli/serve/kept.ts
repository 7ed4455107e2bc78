import { isDatabase, secretsInAddresses } from "../books/address.ts";
import { defaultStore, type OpenedStore } from "../books/place.ts";
import { openStore } from "../books/store.ts";
import { type Opened, openEngine } from "../open-engine.ts";
import { readSecret } from "../portal/secret.ts";
import type { Terminal } from "../terminal.ts";
import { placeOf } from "./address.ts";
import { tryMetrics } from "./metrics.ts";
import type { ServeOptions } from "./open.ts";
import { tryPlace } from "./server.ts";

/** An engine, and its store unless nothing is kept. */
interface OpenedOverStore {
  readonly opened: Opened;
  readonly kept: OpenedStore | undefined;
}

/**
 * Opens the engine over the store that the command line or the configuration names. Where a port cannot be had, no store is made: it
 * would be an empty one, without its first key.
 */
export async function openKept(options: ServeOptions, terminal: Terminal): Promise<OpenedOverStore> {
  const { file, store: asked } = options;
  let kept: OpenedOverStore["kept"];
  const opened = await openEngine(terminal, file, async (found) => {
    const { config } = found;
    const choice = asked ?? config.store ?? defaultStore;
    if (choice === false) return undefined;
    await tryPlace(placeOf(options, config));
    await tryMetrics(found);
    if (isDatabase(choice)) readSecret(terminal, undefined); // told before tables are made
    kept = await openStore({ folder: terminal.folder, choice, isMade: true });
    return kept.store;
  });
  const secrets = [...opened.secrets, ...secretsInAddresses([asked])];
  return { opened: { ...opened, secrets }, kept };
}
