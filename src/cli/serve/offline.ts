import type { Store } from "../../ports/store.ts";
import { isDatabase, problemOfStore, readAddress } from "../books/address.ts";
import { defaultStore } from "../books/place.ts";
import { namingFile } from "../config/origin.ts";
import { misconfigured } from "../config/references.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { gather } from "../gather.ts";
import { needPackages } from "../installed.ts";
import { type Opened, openGathered } from "../open-engine.ts";
import type { Terminal } from "../terminal.ts";
import type { ServeOptions } from "./open.ts";

/** What `serve` would open, without its servers. */
export interface Offline {
  readonly opened: Opened;
  /** In memory; absent where nothing would be kept. */
  readonly store: Store | undefined;
  /** Where keys and ledger would be, as people are told of it; absent where nothing would be kept. */
  readonly storeName: string | undefined;
  /** The store would be a database. */
  readonly isShared: boolean;
}

/** Opens the engine as `serve` would, but makes no file and asks no server beyond the search for models on this machine; throws `invalid_configuration` for what is wrong. */
export async function openOffline({ file, store: asked }: ServeOptions, terminal: Terminal): Promise<Offline> {
  const { env, folder, probe } = terminal;
  const gathered = await gather({ env, folder, file, probe });
  const choice = asked ?? gathered.config.store ?? defaultStore;
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
function needPackagesOf({ counters, cache }: GatewayConfig, isShared: boolean): void {
  if (isShared) needPackages("store", "pg");
  if (counters !== undefined) needPackages("counters", "@redis/client");
  if (cache?.answers !== undefined) needPackages("cache.answers", "@redis/client");
  if (cache?.vectors !== undefined) needPackages("cache.vectors", "pg");
}

/** The same settings for one process alone. */
function withoutServers({ counters: _counters, cache, ...config }: GatewayConfig): GatewayConfig {
  if (cache === undefined) return config;
  return { ...config, cache: { ...cache, answers: undefined, vectors: undefined } };
}
