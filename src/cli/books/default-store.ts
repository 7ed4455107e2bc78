/** The file of keys and ledger where nobody chose another, in the working folder. */
export const defaultStore = "tollgate.db";
