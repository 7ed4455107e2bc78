import type { Engine } from "../../http/create-engine.ts";
import type { CheckedConfig } from "../config/shape.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { defaultStore, type StoreLocation } from "./location.ts";
import { namingOptions } from "./options.ts";

/** Options of every command that works on the store. */
export const storeOptions = {
  store: {
    kind: "text",
    value: "file|url",
    about: `store of keys and ledger: a file or postgres://…; default: the configuration's, or ${defaultStore}`,
  },
  config: { kind: "text", value: "file", short: "c", about: "configuration file; default: tollgate.config.*" },
} as const;

/** The functions of a store that a running gateway may share. */
export type StoreFunctions = Pick<Engine, "keys" | "projects" | "customers" | "usage" | "calibrations">;

/** Work on a store; receives the configured retention of the ledger. Resolves with the exit code. */
export type StoreWork = (store: StoreFunctions, ledger: CheckedConfig["ledger"]) => Promise<number>;

/** Opens the store, does the work and closes it. Its modules are loaded only now. */
export async function withStore(terminal: Terminal, location: StoreLocation, work: StoreWork): Promise<number> {
  const { openStoreFunctions: openStore } = await import("./open.ts");
  const { engine, ledger } = await openStore(terminal, location);
  try {
    return await namingOptions(() => work(engine, ledger));
  } finally {
    await engine.close();
  }
}
