import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { Store } from "../../engine/ports/store.ts";
import { portalKinds } from "../../operations/record-kinds.ts";
import { isDatabase, problemOfStore } from "../config/address.ts";
import type { StoreUnavailableSettings } from "../config/connections.ts";
import { misconfigured } from "../config/references.ts";
import { onlyPresent } from "../present-options.ts";
import type { OpenedStore } from "./location.ts";

/** The usual file that entries of the ledger wait in, in the working folder. */
const usualFile = "tollgate.waiting.db";

/** A store whose entries wait in the file of these settings while it is away; closes it where the file cannot be used. */
async function withSpill(store: Store, settings: StoreUnavailableSettings, folder: string): Promise<Store> {
  const { spillingStore } = await import("tollgate/stores/spill");
  const path = resolve(folder, settings.rows ?? usualFile);
  try {
    return spillingStore(store, { path, ...onlyPresent({ maxBytes: settings.rowsMaxBytes }) });
  } catch (thrown) {
    await store.close();
    if (!isGatewayError(thrown)) throw thrown;
    throw misconfigured("storeUnavailable.rows", thrown.message.replace(/^`path` of spillingStore |\.$/g, ""));
  }
}

/** Where the store is. */
export interface StoreChoice {
  /** The working folder. */
  readonly folder: string;
  /** A file or an address: the command line's choice, else the configuration's, else `tollgate.db`. */
  readonly choice: string;
  /** Makes the store when it is not there. */
  readonly createIfMissing: boolean;
  /** Where entries of the ledger wait while the store is away; in its memory where absent. */
  readonly whileAway?: StoreUnavailableSettings | undefined;
  /** Receives how a store of an earlier version is brought up to date. */
  readonly notify?: ((notice: string) => void) | undefined;
}

/** Opens a store. Throws `invalid_configuration` if it does not exist and `createIfMissing` is not set. */
export async function openStore({ whileAway, ...choice }: StoreChoice): Promise<OpenedStore> {
  const opened = await openChoice(choice);
  opened.store.records.define(portalKinds); // a command without a portal, or the supervisor, works on the same records
  return whileAway ? { ...opened, store: await withSpill(opened.store, whileAway, choice.folder) } : opened;
}

async function openChoice({ folder, choice, createIfMissing, notify }: StoreChoice): Promise<OpenedStore> {
  const problem = problemOfStore(choice);
  if (problem !== undefined) throw misconfigured("store", problem);
  if (isDatabase(choice)) return (await import("./postgres.ts")).openPostgres(choice, { createIfMissing, notify });
  const file = isAbsolute(choice) ? choice : join(folder, choice);
  if (!createIfMissing && !existsSync(file)) throw noStore(choice, folder);
  const { sqliteStore } = await import("tollgate/stores/sqlite");
  return { store: sqliteStore(file), storeName: choice, storeFile: choice };
}

function noStore(file: string, folder: string): GatewayError {
  const hint = "`tollgate serve` and `tollgate key create` make one; --store names another.";
  const message = `The store ${file} does not exist in ${folder}. ${hint}`;
  return new GatewayError("invalid_configuration", message, { param: "store" });
}

/**
 * Wraps a store for use next to a running gateway: records can be changed and the ledger read, but the ledger's writer role stays with
 * the serving process.
 */
export function sharedWithGateway({ records, ledger, reports, close }: Store): Store {
  return { records, reports, close, ledger: { ...ledger, recover: ledger.inspect, append: async () => {} } };
}
