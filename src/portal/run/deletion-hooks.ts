import type { Records } from "../../engine/ports/records.ts";
import type { PortalCall } from "../call/call.ts";
import type { Region, Regions } from "../regions.ts";

/** A deletion that is about to run. */
export interface PendingDeletion<Input> {
  readonly input: Input;
  readonly region: Region;
  readonly regions: Regions;
  readonly call: PortalCall;
}

/** A deletion that the back end has completed. */
export interface CompletedDeletion<Input> {
  readonly input: Input;
  readonly call: PortalCall;
}

/** What the portal does around the deletion that a back end carries out. */
export interface DeletionHooks<Input> {
  /**
   * Throws `conflict` while something that a back end holds depends on the thing to delete. Returns true where it has taken the deletion over:
   * a job carries it out.
   */
  readonly before?: (deletion: PendingDeletion<Input>) => Promise<boolean>;
  /** Removes what the portal itself stores about the thing, whichever back end serves the region. */
  readonly after?: (records: Records, deletion: CompletedDeletion<Input>) => Promise<void>;
}
