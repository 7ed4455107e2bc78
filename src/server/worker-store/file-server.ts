import { memoryCounters } from "tollgate/counters/memory";
import { isDatabase } from "../config/address.ts";
import type { StoreUnavailableSettings } from "../config/connections.ts";
import { openStore } from "../store/store.ts";
import { openStoreServer, type StoreServer } from "./server.ts";

/** A store file, relative to the working folder, and its server; empty where the choice is none or a database, which workers share by themselves. */
export interface FileServer {
  readonly storeFile?: string;
  readonly store?: StoreServer;
}

/** Opens the server of a store file; the first worker creates the file. */
export function openFileServer(
  folder: string,
  choice: string | false,
  whileAway: StoreUnavailableSettings | undefined,
): FileServer {
  if (choice === false || isDatabase(choice)) return {};
  const open = async () => (await openStore({ folder, choice, createIfMissing: false, whileAway })).store;
  return { storeFile: choice, store: openStoreServer({ open, counters: memoryCounters() }) };
}
