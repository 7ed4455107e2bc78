import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { GatewayError } from "../../errors.ts";
import type { Store } from "../../ports/store.ts";
import { misconfigured } from "../config/references.ts";
import { isDatabase, problemOfStore } from "./address.ts";
import type { OpenedStore } from "./place.ts";

/** Where the store is. */
export interface StorePlace {
  /** The working folder. */
  readonly folder: string;
  /** A file or an address: the command line's choice, else the configuration's, else `tollgate.db`. */
  readonly choice: string;
  /** Makes the store when it is not there. */
  readonly isMade: boolean;
}

/** Opens a store; throws `invalid_configuration` where there is none and none is to be made. */
export async function openStore({ folder, choice, isMade }: StorePlace): Promise<OpenedStore> {
  const problem = problemOfStore(choice);
  if (problem !== undefined) throw misconfigured("store", problem);
  if (isDatabase(choice)) return (await import("./postgres.ts")).openPostgres(choice, { isMade });
  const file = isAbsolute(choice) ? choice : join(folder, choice);
  if (!isMade && !existsSync(file)) throw noStore(choice, folder);
  const { sqliteStore } = await import("tollgate/stores/sqlite");
  return { store: sqliteStore(file), storeName: choice, storeFile: choice };
}

function noStore(file: string, folder: string): GatewayError {
  const hint = "`tollgate serve` and `tollgate key create` make one; --store names another.";
  const message = `There is no store ${file} in ${folder}. ${hint}`;
  return new GatewayError("invalid_configuration", message, { param: "store" });
}

/**
 * The store as somebody beside the gateway sees it: records can be changed, the ledger is read, and its role of the writer is left to
 * the process that serves, which may be running.
 */
export function besideGateway({ records, ledger, close }: Store): Store {
  return { records, close, ledger: { ...ledger, recover: ledger.inspect, append: async () => {} } };
}
