import type { Store } from "../../ports/store.ts";

/** The file of keys and ledger where nobody chose another, in the working folder. */
export const defaultStore = "tollgate.db";

/** Where the books are, as the command line says. */
export interface BooksPlace {
  readonly store?: string;
  readonly config?: string;
  /** Makes the store when it is not there. */
  readonly isMade?: boolean;
}

/** A store, and what it is. */
export interface OpenedStore {
  readonly store: Store;
  /** How people are told of it: its file as it was chosen, or its address without the password. */
  readonly storeName: string;
  /** Its file as it was chosen; absent where a database is the store. */
  readonly storeFile: string | undefined;
}
