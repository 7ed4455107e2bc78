import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import type { Region } from "../regions.ts";

/** An operation of a region's back end that is about to run. */
export interface DoorCall<Input> {
  /** The input, as the row's schema has accepted it. */
  readonly input: Input;
  readonly call: PortalCall;
  readonly region: Region;
  /** The records of all tenants. */
  readonly records: PortalDeps["records"];
}

/** Runs the work of an operation within what the levels above give to the infrastructure project. */
export type Door<Input> = (doorCall: DoorCall<Input>, work: () => Promise<unknown>) => Promise<unknown>;
