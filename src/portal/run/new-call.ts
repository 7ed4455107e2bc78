import type { Abortable } from "../../runtime/abortable.ts";
import type { PortalDeps } from "../area.ts";
import type { Caller, PortalCall } from "../call/call.ts";
import { createLeases } from "../locks/lease.ts";
import { listAbove, scopedRecords } from "../tenancy/tenant-scope.ts";

/** The caller, region and signal of a new call. */
export interface NewCall {
  readonly caller: Caller;
  /** The region's code. */
  readonly region: string | undefined;
  readonly signal: Abortable;
  readonly eventId: string;
  /** The version of the thing that the caller looked at. */
  readonly version?: string | undefined;
  /** Receives the version of what the answer shows. */
  readonly onVersion?: ((version: string) => void) | undefined;
}

/** Returns a function that makes the context of a call, restricted to the caller's scope. */
export function createCalls(deps: PortalDeps): (newCall: NewCall) => PortalCall {
  const { records, clock, secrets } = deps;
  const withLease = createLeases(deps);
  return ({ caller, region = "", signal, eventId, version, onVersion }) => ({
    caller,
    region,
    now: clock.now(),
    signal,
    eventId,
    version,
    showVersion: (shown) => onVersion?.(shown),
    records: scopedRecords(records, caller.scope),
    secrets,
    withLease,
    listAbove: (kind, where) => listAbove(records, caller.scope, { kind, where }),
  });
}
