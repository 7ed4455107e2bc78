import type { Ledger } from "./ledger.ts";
import type { Records } from "./records.ts";

/** What reports are made of. */
export type Reports = Pick<Ledger, "query" | "entries" | "lastUsed">;

/** The connections of a pool at the moment. */
export interface StoreConnections {
  readonly used: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** Where records and the ledger are kept. */
export interface Store {
  readonly records: Records;
  readonly ledger: Ledger;
  /** Where reports for people are read, which may be some seconds behind the ledger; the ledger itself where absent. */
  readonly reports?: Reports | undefined;
  /** What it is, `sqlite` or `postgres`, and the version of its schema. */
  readonly schema?: { readonly kind: string; readonly version: number } | undefined;
  /** The connections to its database; absent where there are none. */
  connections?(): StoreConnections;
  /**
   * Brings it up to date where an earlier version made it, and resolves once that is done, which may take minutes. Everything else waits
   * for it, each call no longer than calls wait; absent where opening does it.
   */
  prepare?(): Promise<void>;
  /** Writes what is waiting and lets go. Later calls give the same promise. */
  close(): Promise<void>;
}
