import { isDeepStrictEqual } from "node:util";
import type { ProviderCredential } from "../../portal/credentials/credential-source.ts";
import { namingFile } from "../config/origin.ts";
import { openGuards, openToolTransport, settingsOf } from "../engine-settings.ts";
import { type Gathered, gather, withCredentials } from "../gather.ts";
import type { ListenAddress } from "../network/address.ts";
import { type OpenedEngine, priceSettingsOf } from "../open-engine.ts";
import { onlyPresent } from "../present-options.ts";
import { openCache } from "../store/cache.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { SettingChange } from "./changes.ts";
import { checkChanges } from "./check-changes.ts";

/** What a reload starts from. */
export interface ReloadOptions {
  readonly opened: OpenedEngine;
  /** The configuration file that the command line names. */
  readonly requested: string | undefined;
  readonly listenAddress: ListenAddress;
  readonly terminal: Pick<Terminal, "env" | "folder" | "probe" | "err">;
}

/** A configuration that was taken over. */
export interface Reloaded {
  readonly opened: OpenedEngine;
  readonly changes: readonly SettingChange[];
}

/**
 * Reads the configuration again, checks the whole of it as at a start and takes it over at once. Throws `invalid_configuration`, with the
 * file and the field, for what cannot be used or needs a restart: nothing has changed then. Providers whose settings are the same go on
 * with their connections.
 */
export async function reload(options: ReloadOptions): Promise<Reloaded> {
  const { env, folder, probe } = options.terminal;
  const { opened, requested } = options;
  return takeWhole(options, await gather({ env, folder, file: requested, probe, former: opened }));
}

/** Takes other credentials of the portal over in the same way, without reading the configuration. */
export async function takeCredentials(
  options: ReloadOptions,
  credentials: readonly ProviderCredential[],
): Promise<Reloaded> {
  return takeWhole(options, await withCredentials(options.opened, credentials));
}

async function takeWhole(options: ReloadOptions, next: Gathered): Promise<Reloaded> {
  try {
    return await takeOver(options, next);
  } catch (thrown) {
    const former = new Set(options.opened.sources.map(({ provider }) => provider));
    const unused = next.sources.filter(({ provider }) => !former.has(provider));
    await Promise.allSettled(unused.map(async ({ provider }) => provider.close?.()));
    throw thrown;
  }
}

async function takeOver({ opened, listenAddress, terminal }: ReloadOptions, next: Gathered): Promise<Reloaded> {
  const { config, sources } = next;
  const changes = await checkChanges(opened, next, listenAddress);
  const cache = isDeepStrictEqual(opened.config.cache, config.cache)
    ? opened.cache
    : await namingFile(next, () => openCache(config.cache, (notice) => terminal.err(`tollgate: ${notice}\n`)));
  const middleware = await namingFile(next, () => openGuards(config.guards));
  const isSameNetwork = opened.transport && isDeepStrictEqual(opened.network.options, next.network.options);
  const transport = isSameNetwork ? opened.transport : await openToolTransport(next);
  const usePrices = await opened.renewable.prepare(priceSettingsOf(next, terminal.folder));
  const { setupHint, concurrency: _fixed, keyPrefix: _prefix, ...settings } = settingsOf(config);
  const providers = sources.map(({ provider }) => provider);
  await namingFile(next, () =>
    opened.engine.reconfigure({ ...onlyPresent({ ...settings, cache, middleware, transport }), setupHint, providers }),
  );
  usePrices();
  return { opened: { ...opened, ...next, cache, transport }, changes };
}
