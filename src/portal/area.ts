import type { Engine } from "../engine.ts";
import type { Records } from "../ports/records.ts";
import type { Store } from "../ports/store.ts";
import type { Clock } from "../ports.ts";
import type { Regions } from "./regions.ts";

/** What areas are made of. What belongs to one call only is in its {@link PortalCall}. */
export interface AreaTools {
  readonly engine: Engine;
  /** All records, of every tenant: for the scheduler and the first start. Operations use the call's own, which are narrowed. */
  readonly records: Records;
  readonly ledger: Store["ledger"];
  readonly clock: Clock;
  /** A fresh identifier that begins with the prefix: `newId("bkp")` → `bkp_…`. */
  newId(prefix: string): string;
  /** Fresh random bytes. */
  entropy(bytes: number): Uint8Array;
  readonly regions: Regions;
  readonly secrets: Secrets;
}

/** Keeps secrets in the store unreadable. Sealing the same twice gives different texts. */
export interface Secrets {
  seal(plain: string): string;
  /** Throws `internal` for what was not sealed with this key. */
  open(sealed: string): string;
}
