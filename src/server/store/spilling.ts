import { resolve } from "node:path";
import { isGatewayError } from "../../engine/errors.ts";
import type { Store } from "../../engine/ports/store.ts";
import type { StoreUnavailableSettings } from "../config/connections.ts";
import { misconfigured } from "../config/references.ts";
import { onlyPresent } from "../present-options.ts";

/** The usual file that entries of the ledger wait in, in the working folder. */
const usualFile = "tollgate.waiting.db";

/** A store whose entries wait in the file of these settings while it is away; closes it where the file cannot be used. */
export async function withSpill(store: Store, settings: StoreUnavailableSettings, folder: string): Promise<Store> {
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
