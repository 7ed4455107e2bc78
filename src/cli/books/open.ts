import type { Catalogue } from "tollgate/prices/catalogue";
import { GatewayError } from "../../errors.ts";
import { createEngine, type Engine } from "../../index.ts";
import { readConfigFile } from "../config/file.ts";
import type { GatewayConfig } from "../config/shape.ts";
import { readSettings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { openCounters } from "./counters.ts";
import { type BooksPlace, defaultStore } from "./place.ts";
import { openPrices } from "./prices.ts";
import { besideGateway, openStore } from "./store.ts";

/** Keys and ledger as functions, and for how long the configuration keeps the ledger. */
interface OpenedBooks {
  readonly engine: Engine;
  readonly ledger: GatewayConfig["ledger"];
}

/** Opens the books of a store; `isMade` makes it when it is not there. Whoever opens them closes them. */
export async function openBooks(
  terminal: Terminal,
  { store: asked, config: file, isMade = false }: BooksPlace,
): Promise<OpenedBooks> {
  const config = await readOwnSettings(terminal, file);
  const { store } = await openStore({ folder: terminal.folder, choice: asked ?? chosenStore(config), isMade });
  const counters = await openCounters(config.counters);
  const { keyPrefix } = config;
  const engine = createEngine({ providers: [nobody], store: besideGateway(store), counters, keyPrefix });
  return { engine, ledger: config.ledger };
}

/** The store of the configuration, in which a gateway would look, too. */
function chosenStore({ store = defaultStore }: { readonly store?: string | false | undefined }): string {
  if (store !== false) return store;
  const message = "The configuration keeps nothing: `store` is false. --store names where keys and ledger are.";
  throw new GatewayError("invalid_configuration", message, { param: "store" });
}

/** Nobody is asked by those who keep the books. */
const nobody = { name: "nobody" };

/** Opens the prices that the gateway would bill with. */
export async function openOwnPrices(terminal: Terminal, file: string | undefined): Promise<Catalogue> {
  const { prices, name, like } = await readOwnSettings(terminal, file);
  return openPrices({ prices, file: name, folder: terminal.folder, like });
}

/** The configuration but for its providers and how they are served: secrets of both need not be known to whoever keeps the books. */
async function readOwnSettings({ folder, env }: Terminal, asked: string | undefined) {
  const file = await readConfigFile(folder, asked);
  const { providers, server: _served, ...rest } = (file?.value ?? {}) as Readonly<Record<string, unknown>>;
  const { config } = readSettings(file && { ...file, value: rest }, env);
  return { ...config, name: file?.name, like: kindsOf(providers) };
}

/** Providers under names of their own, with the kind whose prices are theirs. */
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
