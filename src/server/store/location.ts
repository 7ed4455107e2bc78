import type { Store } from "../../engine/ports/store.ts";

/** The default store file, in the working folder. */
export const defaultStore = "tollgate.db";

/** The location of the store, from the command line. */
export interface StoreLocation {
  readonly store?: string;
  readonly config?: string;
  /** Makes the store when it is not there. */
  readonly createIfMissing?: boolean;
}

/** A store, and what it is. */
export interface OpenedStore {
  readonly store: Store;
  /** The display name: the file as it was named, or the address without the password. */
  readonly storeName: string;
  /** Its file as it was chosen; absent where a database is the store. */
  readonly storeFile: string | undefined;
}
