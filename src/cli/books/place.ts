/** The file of keys and ledger where nobody chose another, in the working folder. */
export const defaultStore = "tollgate.db";

/** Where the books are, as the command line says. */
export interface BooksPlace {
  readonly store?: string;
  readonly config?: string;
  /** Makes the store when it is not there. */
  readonly isMade?: boolean;
}
