import type { Engine } from "../engine.ts";
import type { Ledger } from "../ports/ledger.ts";
import type { Records } from "../ports/records.ts";
import type { Clock, Entropy } from "../ports.ts";
import type { Tariff } from "./areas/ai/tariff.ts";
import type { Rounds } from "./backups/rounds.ts";
import type { Caller } from "./call.ts";
import type { Grantor } from "./grants.ts";
import type { Notify } from "./notices.ts";
import type { Regions } from "./regions.ts";
import type { Secrets } from "./secrets.ts";

/** A call of the portal by method and path, as a task's step makes it. */
export interface PortalRequest {
  readonly method: string;
  /** With its parameters in place, percent-encoded; without a query. */
  readonly path: string;
  /** The fields of the operation's input. */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  readonly caller: Caller;
  readonly region: string;
}

/** What areas are made of. What belongs to one call only is in its `PortalCall`. */
export interface AreaTools {
  readonly engine: Engine;
  /** All records, of every tenant: for the scheduler and the first start. Operations use the call's own, which are narrowed. */
  readonly records: Records;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Fresh random bytes. */
  readonly entropy: Entropy;
  /** A fresh identifier that begins with the prefix: `newId("bkp")` → `bkp_…`. */
  newId(prefix: string): string;
  readonly regions: Regions;
  readonly secrets: Secrets;
  /** The tiers of keys, and what is put on their cost. */
  readonly tariff: Tariff;
  /** The work of backups. */
  readonly backups: Rounds;
  /** What tells what a user may do. */
  readonly grantors: readonly Grantor[];
  /** Tells people what happened, each thing once. */
  readonly notify: Notify;
  /** Calls an operation of the portal, with all its checks; rejects with what it is refused with. */
  call(request: PortalRequest): Promise<unknown>;
}
