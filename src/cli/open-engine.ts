import type { GatewayConfig } from "../config/shape.ts";
import { createEngine, type Engine } from "../index.ts";
import type { Store } from "../ports/store.ts";
import type { Tokens } from "../ports/tokens.ts";
import { namingFile } from "./config/origin.ts";
import { type Gathered, gather } from "./gather.ts";
import { needPackages } from "./program/needed-packages.ts";
import { onlyPresent } from "./program/present-options.ts";
import type { ProviderSource } from "./providers/source.ts";
import { openCache } from "./store/cache.ts";
import { openCounters } from "./store/counters.ts";
import { openPrices } from "./store/prices.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** An engine over everything that was found, and what that was. */
export interface OpenedEngine extends Gathered {
  readonly engine: Engine;
}

/** Chooses the store of an engine by the configuration. */
export type ChooseStore = (found: Pick<Gathered, "config" | "file">) => Promise<Store | undefined>;

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
  const like = Object.fromEntries(sources.flatMap(sellsLike));
  const prices = await openPrices({ prices: config.prices, file: gathered.file, folder, like });
  for (const warning of prices.warnings) err(`tollgate: ${warning}\n`);
  const parts = await namingFile(gathered, async () => ({
    tokens: await openTokens(config.tokens),
    cache: await openCache(config.cache, (notice) => err(`tollgate: ${notice}\n`)),
  }));
  const store = await chooseStore(gathered);
  const counters = store && (await namingFile(gathered, () => openCounters(config.counters))); // without a store nothing is counted
  const providers = sources.map(({ provider }) => provider);
  const engine = await namingFile(gathered, () =>
    createEngine({ ...onlyPresent({ ...settingsOf(config), ...parts, counters }), providers, prices, store }),
  );
  return { ...gathered, engine };
}

/** The engine's own settings; whether a key is required is a matter of the listener, since who owns this process is trusted. */
function settingsOf({ timeouts = {}, retry = {}, circuit = {}, concurrency = {}, ...config }: GatewayConfig) {
  const { rules, order, recovery, hedge, keyPrefix, unpriced, stablePrompts } = config;
  const limits = {
    timeouts: onlyPresent(timeouts),
    retry: onlyPresent(retry),
    circuit: onlyPresent(circuit),
    concurrency: onlyPresent(concurrency),
  };
  return { ...limits, rules, order, recovery, hedge, keyPrefix, unpriced, stablePrompts };
}

async function openTokens(tokens: GatewayConfig["tokens"]): Promise<Tokens | undefined> {
  if (tokens !== "tiktoken") return undefined;
  needPackages("tokens", "tiktoken"); // loaded at the first count only, but its absence is reported now
  return (await import("tollgate/tokens/tiktoken")).tiktoken();
}

/** A second account of a vendor, under another name, has the vendor's prices. */
function sellsLike({ name, vendor }: ProviderSource): [name: string, vendor: string][] {
  return vendor === undefined || vendor === name ? [] : [[name, vendor]];
}
