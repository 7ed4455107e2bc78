import type { Ledger } from "./ledger.ts";
import type { Records } from "./records.ts";

/** Where records and the ledger are kept. */
export interface Store {
  readonly records: Records;
  readonly ledger: Ledger;
  /** What it is, `sqlite` or `postgres`, and the version of its schema. */
  readonly schema?: { readonly kind: string; readonly version: number } | undefined;
  /** Writes what is waiting and lets go. Later calls give the same promise. */
  close(): Promise<void>;
}
