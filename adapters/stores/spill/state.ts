import { isGatewayError } from "../../../src/engine/errors.ts";
import type { CounterValue } from "../../../src/engine/ports/counters.ts";
import type { Ledger, LedgerEntry } from "../../../src/engine/ports/ledger.ts";
import type { RowFile } from "./row-file.ts";

/** A ledger, the file for what it cannot take, and how long is waited. */
export interface SpillingTools {
  readonly inner: Ledger;
  readonly file: RowFile;
  /** Milliseconds that the ledger gets for entries before they are written to the file. */
  readonly patienceMs: number;
  /** Milliseconds between two attempts to hand over what waits. */
  readonly againMs: number;
}

/** Entries that were handed to the ledger together. */
interface HandedBatch {
  readonly written: Promise<void>;
  readonly entries: LedgerEntry[];
  readonly settled: Promise<void>;
}

/** Entries that go to the file at the end of the turn. */
interface FileBatch {
  readonly entries: LedgerEntry[];
  readonly written: Promise<void>;
}

/** What is under way between a ledger and its file. */
export interface SpillState {
  /** The store did not take the last entries: those that come are written to the file. */
  isOut: boolean;
  /** The file did not take the last entries. */
  isFileFull: boolean;
  /** Entries of an earlier process are in the counters, or need not be. */
  isRecovered: boolean;
  isStopped: boolean;
  handed: HandedBatch | undefined;
  batch: FileBatch | undefined;
  /** What counters hold for entries in the file: it goes with them. */
  readonly held: Map<string, CounterValue>;
  /** Ids that the ledger may have although they are in the file. */
  readonly uncertain: Set<string>;
  /** Entries in the file that the store refused for what they hold. */
  lost: number;
  /** So many entries are handed over one by one. */
  singly: number;
  /** What the ledger had lost before: meanwhile it counts entries that are still in the file, or in `lost`. */
  lostBefore: number | undefined;
  /** What the ledger counted so. */
  recounted: number;
  timer: NodeJS.Timeout | undefined;
  handingOver: Promise<void> | undefined;
}

/** A ledger with its file, and what is under way between them. */
export interface Spilling extends SpillingTools {
  readonly state: SpillState;
}

/** True where the store may take the same entries later. */
export function isPassing(thrown: unknown): boolean {
  return isGatewayError(thrown) && thrown.code === "store_unavailable";
}
