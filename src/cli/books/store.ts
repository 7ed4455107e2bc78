import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { GatewayError } from "../../errors.ts";
import type { Store } from "../../ports/store.ts";

/** A store, and its file as it was chosen. */
export interface OpenedStore {
  readonly file: string;
  readonly store: Store;
}

/** Where to look for the file. */
export interface StorePlace {
  /** The working folder. */
  readonly folder: string;
  /** The command line's choice, else the configuration's, else `tollgate.db`. */
  readonly file: string;
}

/** Opens a store file, making it when it is not there. */
export async function openStore({ folder, file }: StorePlace): Promise<OpenedStore> {
  const { sqliteStore } = await import("tollgate/stores/sqlite");
  return { file, store: sqliteStore(isAbsolute(file) ? file : join(folder, file)) };
}

/** Opens a store file that is there; throws `invalid_configuration` saying how one is made. */
export async function openExistingStore(place: StorePlace): Promise<OpenedStore> {
  const { folder, file } = place;
  if (existsSync(isAbsolute(file) ? file : join(folder, file))) return openStore(place);
  const hint = "`tollgate serve` and `tollgate key create` make one; --store names another.";
  throw new GatewayError("invalid_configuration", `There is no store ${file} in ${folder}. ${hint}`, {
    param: "store",
  });
}

/**
 * The store as somebody beside the gateway sees it: records can be changed, the ledger is read, and its role of the writer is left to
 * the process that serves, which may be running.
 */
export function besideGateway({ records, ledger, close }: Store): Store {
  return { records, close, ledger: { ...ledger, recover: ledger.inspect, append: async () => {} } };
}
