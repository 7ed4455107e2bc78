import type { LedgerEntry } from "./ledger.ts";

/** What a process has under way: the rows that the ledger gets should it die. */
export interface CallRecord {
  /** The process. */
  readonly id: string;
  readonly created_at: string;
  /** When the last of their reservations lapses, in milliseconds since the epoch: a process that lives says so again before. */
  readonly lapses_at: number;
  readonly entries: readonly LedgerEntry[];
}
