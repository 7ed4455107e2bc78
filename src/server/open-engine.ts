import type { CacheOptions } from "../engine/options/cache.ts";
import type { Counters } from "../engine/ports/counters.ts";
import type { Store } from "../engine/ports/store.ts";
import type { Transport } from "../engine/ports/transport.ts";
import { createEngine, type Engine } from "../http/create-engine.ts";
import { namingFile } from "./config/origin.ts";
import { openGuards, openTokens, openToolTransport, settingsOf } from "./engine-settings.ts";
import { type Gathered, gather } from "./gather.ts";
import { onlyPresent } from "./present-options.ts";
import type { ProviderSource } from "./providers/source.ts";
import { openCache } from "./store/cache.ts";
import { openCounters } from "./store/counters.ts";
import { openRenewable, type RenewablePrices } from "./store/prices/follow-prices.ts";
import type { PriceSettings } from "./store/prices/prices.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** An engine over everything that was found, and what that was. */
export interface OpenedEngine extends Gathered {
  readonly engine: Engine;
  readonly renewable: RenewablePrices;
  /** Absent unless one was chosen. */
  readonly store: Store | undefined;
  /** As it was opened; absent unless configured. */
  readonly cache: CacheOptions | undefined;
  /** What tool servers are reached over; absent unless the network has settings. */
  readonly transport: Transport | undefined;
}

/** A store, and the counters that come with it, if the configuration has no others. */
export interface ChosenStore extends Store {
  readonly counters?: Counters | undefined;
}

/** Chooses the store of an engine by the configuration. */
export type ChooseStore = (found: Pick<Gathered, "config" | "file">) => Promise<ChosenStore | undefined>;

/**
 * Finds the providers of this machine and builds an engine over them. The engine has a store only if one is chosen. The caller closes it.
 */
export async function openEngine(
  terminal: Terminal,
  file: string | undefined,
  chooseStore: ChooseStore = async () => undefined,
): Promise<OpenedEngine> {
  const { env, folder, probe } = terminal;
  return openGathered(await gather({ env, folder, file, probe }), terminal, chooseStore);
}

/** The same over what was found already. */
export async function openGathered(
  gathered: Gathered,
  { folder, err }: Pick<Terminal, "folder" | "err">,
  chooseStore: ChooseStore,
): Promise<OpenedEngine> {
  const { config, sources } = gathered;
  const renewable = await openRenewable(priceSettingsOf(gathered, folder), config.pricesInterval);
  const { prices, warnings } = renewable;
  const notify = (notice: string) => err(`tollgate: ${notice}\n`);
  for (const warning of warnings) notify(warning);
  const parts = await namingFile(gathered, async () => ({
    tokens: await openTokens(config.tokens),
    cache: await openCache(config.cache, notify),
    middleware: await openGuards(config.guards),
  }));
  const store = await chooseStore(gathered);
  const configured = store && (await namingFile(gathered, () => openCounters(config.counters, notify))); // without a store nothing is counted
  const counters = configured ?? store?.counters;
  const providers = sources.map(({ provider }) => provider);
  const transport = await openToolTransport(gathered);
  const engine = await namingFile(gathered, () =>
    createEngine({
      ...onlyPresent({ ...settingsOf(config), ...parts, counters, transport }),
      providers,
      prices,
      store,
    }),
  );
  return { ...gathered, engine, renewable, store, cache: parts.cache, transport };
}

/** Where the prices of a configuration come from. */
export function priceSettingsOf({ config, file, sources }: Gathered, folder: string): PriceSettings {
  return { prices: config.prices, file, folder, like: Object.fromEntries(sources.flatMap(sellsLike)) };
}

/** A second account of a vendor, under another name, has the vendor's prices. */
function sellsLike({ name, vendor }: ProviderSource): [name: string, vendor: string][] {
  return vendor === undefined || vendor === name ? [] : [[name, vendor]];
}
