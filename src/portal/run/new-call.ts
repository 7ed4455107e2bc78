import type { Records } from "../../engine/ports/records.ts";
import type { Abortable } from "../../engine/runtime/abortable.ts";
import type { PortalDeps } from "../area.ts";
import type { Caller, PortalCall } from "../call/call.ts";
import { createLeases, type WithLease } from "../locks/lease.ts";
import { sharingRegions } from "../regions.ts";
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
  /** The languages that the caller accepts, as in `Accept-Language`. */
  readonly accepts?: string | undefined;
  /** Receives where the next page of the answer begins. */
  readonly onNext?: ((next: string) => void) | undefined;
  /** Receives what is probably a mistake. */
  readonly onWarnings?: ((warnings: readonly string[]) => void) | undefined;
  /** Receives the version of what the answer shows. */
  readonly onVersion?: ((version: string) => void) | undefined;
  /** Receives the id of the work that goes on after the answer. */
  readonly onJob?: ((id: string) => void) | undefined;
}

/** Returns a function that makes the context of a call, restricted to the caller's scope. */
export function createCalls(deps: PortalDeps): (newCall: NewCall) => PortalCall {
  const { records, clock, secrets, regions } = deps;
  const withLease = createLeases(deps);
  return ({ caller, region = "", signal, eventId, version, accepts, onVersion, onJob, onWarnings }) => {
    const call = {
      caller,
      region,
      projectRegions: new Set(sharingRegions(regions, region)),
      now: clock.now(),
      signal,
      eventId,
      version,
      accepts,
      showVersion: (shown: string) => onVersion?.(shown),
      showJob: (id: string) => onJob?.(id),
      warn: (warnings: readonly string[]) => void (warnings.length > 0 && onWarnings?.(warnings)),
      secrets,
      withLease,
      afterCommit: (work: () => void) => work(),
    };
    return { ...call, ...recordsOf(records, caller) };
  };
}

/** The records of a call, over those of a store or of a unit of work. */
export function recordsOf(
  records: Records,
  { scope }: Pick<Caller, "scope">,
): Pick<PortalCall, "records" | "allRecords" | "listAbove"> {
  return {
    records: scopedRecords(records, scope),
    allRecords: records,
    listAbove: (kind, where) => listAbove(records, scope, { kind, where }),
  };
}

/** Leases that are held until the writes made under them are in the store. */
export interface HeldLeases {
  readonly withLease: WithLease;
  release(): Promise<void>;
}

/** Returns leases that stay held after their work, until they are released together. */
export function holdLeases(withLease: WithLease): HeldLeases {
  const held = new Map<string, Promise<unknown>>();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const acquire = (resource: string) =>
    new Promise<void>((resolve, reject) => {
      const holding = withLease(resource, () => {
        resolve();
        return ended;
      });
      held.set(resource, holding);
      holding.catch(reject);
    });
  return {
    async withLease(resource, work) {
      if (!held.has(resource)) await acquire(resource);
      return work();
    },
    async release() {
      end();
      await Promise.allSettled(held.values());
    },
  };
}
