import type { Aborter } from "../../abortable.ts";
import type { Records } from "../../ports/records.ts";
import type { Clock } from "../../ports.ts";
import type { Notify } from "../notices.ts";
import type { Regions } from "../regions.ts";
import type { Policies } from "./policy.ts";

/** What the work of backups is done with. */
export interface Works {
  /** Of every tenant. */
  readonly records: Records;
  readonly regions: Regions;
  readonly policies: Policies;
  readonly clock: Clock;
  readonly notify: Notify;
  newId(prefix: string): string;
  /** The backups that this process makes now, by their ids: how each is stopped. */
  readonly underway: Map<string, Aborter>;
  /** Goes a round soon, in a process that goes rounds. */
  hurry(): void;
}
