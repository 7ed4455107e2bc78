import type { Store } from "../../../src/engine/ports/store.ts";
import { amount } from "../../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../../shared/options.ts";
import { memoryLedger } from "./ledger.ts";
import { memoryRecords } from "./records.ts";

/** How much memory the store may take. */
export interface MemoryStoreOptions {
  /** Ledger entries that are kept for explanation, 100,000 by default; older ones live on in the sums by day. */
  readonly capacity?: number | undefined;
}

/** Records and ledger in the memory of this process, gone with it. */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const { capacity = 100_000 } = checkedOptions(options, { capacity: amount }, { of: "memoryStore" });
  return { records: memoryRecords(), ledger: memoryLedger(capacity), close: async () => {} };
}
