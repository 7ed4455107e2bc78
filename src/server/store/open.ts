import type { Catalogue } from "tollgate/prices/catalogue";
import { GatewayError } from "../../engine/errors.ts";
import { createEngine, type Engine } from "../../http/create-engine.ts";
import { readConfigFile } from "../config/file.ts";
import type { CheckedConfig } from "../config/shape.ts";
import { readSettings } from "../settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { openCounters } from "./counters.ts";
import { defaultStore, type StoreLocation } from "./location.ts";
import { openPrices } from "./prices/prices.ts";
import { openStore, sharedWithGateway } from "./store.ts";

/** The functions of a store, and the configured retention of the ledger. */
interface OpenedStoreFunctions {
  readonly engine: Engine;
  readonly ledger: CheckedConfig["ledger"];
}

/** Opens the functions of a store; `createIfMissing` creates the store. The caller closes the engine. */
export async function openStoreFunctions(
  terminal: Terminal,
  { store: storeOption, config: file, createIfMissing = false }: StoreLocation,
): Promise<OpenedStoreFunctions> {
  const config = await readOwnSettings(terminal, file);
  const { store } = await openStore({
    folder: terminal.folder,
    choice: storeOption ?? chosenStore(config),
    createIfMissing,
  });
  const counters = await openCounters(config.counters);
  const { keyPrefix } = config;
  const engine = createEngine({ providers: [noProvider], store: sharedWithGateway(store), counters, keyPrefix });
  return { engine, ledger: config.ledger };
}

/** The store of a configuration file, in which a gateway would look, too. */
export async function chosenStoreOf(terminal: Terminal, file: string | undefined): Promise<string> {
  return chosenStore(await readOwnSettings(terminal, file));
}

/** The store of the configuration, in which a gateway would look, too. */
function chosenStore({ store = defaultStore }: { readonly store?: string | false | undefined }): string {
  if (store !== false) return store;
  const message = "The configuration disables the store: `store` is false. Name a store with --store.";
  throw new GatewayError("invalid_configuration", message, { param: "store" });
}

/** A provider without verbs: these functions call no provider. */
const noProvider = { name: "nobody" };

/** Opens the prices that the gateway would bill with. */
export async function openOwnPrices(terminal: Terminal, file: string | undefined): Promise<Catalogue> {
  const { prices, name, like } = await readOwnSettings(terminal, file);
  const { prices: opened } = await openPrices({ prices, file: name, folder: terminal.folder, like });
  for (const warning of opened.warnings) terminal.err(`tollgate: ${warning}\n`);
  return opened;
}

/** The prices, and the names of providers: those that can be declared, and those of the configuration. */
export async function openKnowledge(
  terminal: Terminal,
  file: string | undefined,
): Promise<{ readonly prices: Catalogue; readonly providers: ReadonlySet<string> }> {
  const { prices, name, like, providers } = await readOwnSettings(terminal, file);
  const opened = await openPrices({ prices, file: name, folder: terminal.folder, like });
  const { kinds } = await import("../providers/kinds.ts");
  return { prices: opened.prices, providers: new Set([...Object.keys(kinds), ...providers]) };
}

/** The configuration without providers and server settings, whose secrets these commands do not need. */
async function readOwnSettings({ folder, env }: Terminal, path: string | undefined) {
  const file = await readConfigFile(folder, path);
  const { providers, server: _served, ...rest } = (file?.value ?? {}) as Readonly<Record<string, unknown>>;
  const { config } = readSettings(file && { ...file, value: rest }, env);
  return { ...config, name: file?.name, like: kindsOf(providers), providers: namesOf(providers) };
}

/** The names of the declared providers: an object by name, or a list of providers. */
function namesOf(providers: unknown): readonly string[] {
  if (typeof providers !== "object" || providers === null) return [];
  if (!Array.isArray(providers)) return Object.keys(providers);
  return providers.flatMap((each: { readonly name?: unknown }) => (typeof each?.name === "string" ? [each.name] : []));
}

/** Providers with custom names, and the kind whose prices apply to them. */
function kindsOf(providers: unknown): Record<string, string> {
  if (typeof providers !== "object" || providers === null || Array.isArray(providers)) return {};
  const pairs = Object.entries(providers as Readonly<Record<string, { readonly kind?: unknown } | boolean | null>>);
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => {
      const kind = typeof value === "object" ? value?.kind : undefined;
      return typeof kind === "string" && kind !== name ? [[name, kind]] : [];
    }),
  );
}
