import { isDatabase, secretsInAddresses } from "./config/address.ts";
import { scopeOf } from "./network/address.ts";
import type { ServeOptions } from "./open.ts";
import { type OpenedEngine, openEngine } from "./open-engine.ts";
import { readSecrets } from "./portal/secret.ts";
import { tryAddress } from "./server.ts";
import { defaultStore, type OpenedStore } from "./store/location.ts";
import { openStore } from "./store/store.ts";
import { tryMetrics } from "./telemetry/metrics.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** An engine and its store, if there is one. */
interface OpenedOverStore {
  readonly opened: OpenedEngine;
  readonly store: OpenedStore | undefined;
}

/**
 * Opens the engine over the store of the command line or the configuration. If the port is unavailable, it creates no store, which would
 * stay without its first key.
 */
export async function openOverStore(options: ServeOptions, terminal: Terminal): Promise<OpenedOverStore> {
  const { file, store: storeOption } = options;
  let store: OpenedOverStore["store"];
  const opened = await openEngine(terminal, file, async (found) => {
    const { config } = found;
    const choice = storeOption ?? config.store ?? defaultStore;
    if (choice === false) return undefined;
    const { worker } = options;
    // The first worker looks alone, and past the port that workers share: on that one a call would come to a server that does not answer.
    if (worker?.announces ?? true) await tryAddress({ ...scopeOf(options, config), exclusive: worker !== undefined });
    if (!worker) await tryMetrics(found); // a supervisor has that port
    if (isDatabase(choice)) readSecrets(terminal, undefined); // reported before tables are created
    const notify = (notice: string) => terminal.err(`tollgate: ${notice}\n`);
    const isWritten = !worker || isDatabase(choice); // else the supervisor writes
    const whileAway = isWritten ? config.storeUnavailable : undefined;
    store = await openStore({ folder: terminal.folder, choice, createIfMissing: true, whileAway, notify });
    if (isWritten) return store.store;
    const { workerStore } = await import("./worker-store/worker-store.ts");
    const shared = workerStore(store.store, worker);
    store = { ...store, store: shared };
    return shared;
  });
  const secrets = [...opened.secrets, ...secretsInAddresses([storeOption])];
  return { opened: { ...opened, secrets }, store };
}
