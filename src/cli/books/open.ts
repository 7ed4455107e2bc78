import type { Catalogue } from "tollgate/prices/catalogue";
import { createEngine, type Engine } from "../../index.ts";
import { readConfigFile } from "../config/file.ts";
import { readSettings } from "../settings.ts";
import type { Terminal } from "../terminal.ts";
import { openPrices } from "./prices.ts";
import { besideGateway, defaultStore, openExistingStore, openStore } from "./store.ts";

/** What the command line says about the books. */
export interface BooksOptions {
  readonly store?: string;
  readonly config?: string;
}

/** Options of every command that works on the books. */
export const booksOptions = {
  store: {
    kind: "text",
    value: "file",
    about: `file of keys and ledger; ${defaultStore} unless the configuration names one`,
  },
  config: { kind: "text", value: "file", short: "c", about: "configuration file, in place of tollgate.config.*" },
} as const;

/** Keys and ledger of a store, as functions, beside the gateway that may be serving from it. */
export type Books = Pick<Engine, "keys" | "projects" | "customers" | "usage">;

/** Work on the books; resolves with the exit code. */
export type BookWork = (books: Books) => Promise<number>;

/** Opens the books, does the work and closes them. `isMade` makes the store when it is not there. */
export async function withBooks(
  terminal: Terminal,
  { store: asked, config: file, isMade = false }: BooksOptions & { readonly isMade?: boolean },
  work: BookWork,
): Promise<number> {
  const config = await readOwnSettings(terminal, file);
  const place = { folder: terminal.folder, file: asked ?? (config.store || defaultStore) };
  const { store } = await (isMade ? openStore(place) : openExistingStore(place));
  const engine = createEngine({ providers: [nobody], store: besideGateway(store), keyPrefix: config.keyPrefix });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Nobody is asked by those who keep the books. */
const nobody = { name: "nobody" };

/** Opens the prices that the gateway would bill with. */
export async function openOwnPrices(terminal: Terminal, file: string | undefined): Promise<Catalogue> {
  const { prices, like } = await readOwnSettings(terminal, file);
  return openPrices({ prices, folder: terminal.folder, like });
}

/** The configuration but for its providers: their keys need not be known to whoever keeps the books. */
async function readOwnSettings({ folder, env }: Terminal, asked: string | undefined) {
  const file = await readConfigFile(folder, asked);
  const { providers, ...rest } = (file?.value ?? {}) as Readonly<Record<string, unknown>>;
  const { config } = readSettings(file && { ...file, value: rest }, env);
  return { ...config, like: kindsOf(providers) };
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
