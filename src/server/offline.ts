import type { Store } from "../engine/ports/store.ts";
import { isDatabase, problemOfStore, readAddress } from "./config/address.ts";
import { namingFile } from "./config/origin.ts";
import { misconfigured } from "./config/references.ts";
import type { CheckedConfig } from "./config/shape.ts";
import { gather } from "./gather.ts";
import { needPackages } from "./needed-packages.ts";
import type { ServeOptions } from "./open.ts";
import { type OpenedEngine, openGathered } from "./open-engine.ts";
import { defaultStore } from "./store/location.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What `serve` would open, without its servers. */
export interface Offline {
  readonly opened: OpenedEngine;
  /** An in-memory store; absent without a store. */
  readonly store: Store | undefined;
  /** The display name of the store; absent without a store. */
  readonly storeName: string | undefined;
  /** The store would be a database. */
  readonly isShared: boolean;
}

/**
 * Opens the engine as `serve` does, but creates no file and contacts no server except local model servers. Throws `invalid_configuration`
 * for invalid settings.
 */
export async function openOffline({ file, store: storeOption }: ServeOptions, terminal: Terminal): Promise<Offline> {
  const { env, folder, probe } = terminal;
  const gathered = await gather({ env, folder, file, probe });
  const choice = storeOption ?? gathered.config.store ?? defaultStore;
  const problem = choice === false ? undefined : problemOfStore(choice);
  if (problem !== undefined) throw misconfigured("store", problem);
  const isShared = choice !== false && isDatabase(choice);
  await namingFile(gathered, () => needPackagesOf(gathered.config, isShared));
  const store = choice === false ? undefined : (await import("tollgate/stores/memory")).memoryStore();
  const config = withoutServers(gathered.config);
  const opened = await openGathered({ ...gathered, config }, terminal, async () => store);
  const storeName = choice === false ? undefined : isShared ? readAddress(choice).shown : choice;
  return { opened, store, storeName, isShared };
}

/** The packages that clients of the servers come in. */
function needPackagesOf({ counters, cache }: CheckedConfig, isShared: boolean): void {
  if (isShared) needPackages("store", "pg");
  if (counters !== undefined) needPackages("counters", "@redis/client");
  if (cache?.answers !== undefined) needPackages("cache.answers", "@redis/client");
  if (cache?.vectors !== undefined) needPackages("cache.vectors", "pg");
}

/** The same settings for one process alone. */
function withoutServers({ counters: _counters, cache, ...config }: CheckedConfig): CheckedConfig {
  if (cache === undefined) return config;
  return { ...config, cache: { ...cache, answers: undefined, vectors: undefined } };
}
