import type { OperationMethod } from "../../operations/invoke.ts";
import { type PortalRow, type RowKey, rowKey } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import { type Backends, findBackend, ownBackends } from "../backends.ts";
import type { PortalCall } from "../call/call.ts";
import { throughDoor } from "../quotas/doors.ts";
import { createQuotaGuard, type QuotaGuard } from "../quotas/guard.ts";
import type { Region } from "../regions.ts";
import { deletionHooks } from "./deletions.ts";

/** What the methods of operations are found in. */
export interface MethodSource {
  readonly deps: PortalDeps;
  readonly own: Backends;
  readonly guard: QuotaGuard;
}

/** Opens the back ends of the portal's own areas, and the check of quotas. */
export function openMethods(deps: PortalDeps): MethodSource {
  return { deps, own: ownBackends(deps), guard: createQuotaGuard(deps) };
}

/** The areas whose operations change things outside the store. */
const outsideAreas: ReadonlySet<string> = new Set(["iaas", "clusters", "objectstore"]);

/**
 * Operations of other areas that do: a task calls operations, which have entries of their own, and the others send messages.
 */
const outsideRows: ReadonlySet<RowKey> = new Set<RowKey>([
  "alerts.testChannel",
  "tasks.run",
  "users.invite",
  "users.resetPassword",
]);

/** True for an operation that changes more than records: it can be neither repeated nor taken back. */
export function reachesBackEnd(row: PortalRow, input: Readonly<Record<string, unknown>>): boolean {
  if (row.area === "quotas") return (input.resource_id ?? "") !== ""; // the limits of a resource are set at its services
  return outsideAreas.has(row.area) || outsideRows.has(rowKey(row));
}

/** A call of a row in a region. */
interface RegionalCall {
  readonly row: PortalRow;
  readonly call: PortalCall;
  readonly region: Region;
}

/** Returns the method of the back end that serves the row's area, bound to the call, with its quota check and deletion hooks. */
export function methodOf(
  { deps, own, guard }: MethodSource,
  { row, call, region }: RegionalCall,
): OperationMethod | undefined {
  const backend = findBackend(own, region, row.area) as Readonly<Record<string, BackendMethod | undefined>> | undefined;
  const method = backend && Object.hasOwn(backend, row.name) ? backend[row.name] : undefined;
  if (!method) return undefined;
  const key = rowKey(row);
  const hooks = deletionHooks(key);
  const work = async (input: never) => {
    if (await hooks.before?.({ input, region, regions: deps.regions, call })) return undefined;
    const answer = await method.call(backend, input, call);
    await hooks.after?.(call.allRecords, { input, call });
    return answer;
  };
  return (input) =>
    guard({ key, input, call }, () =>
      throughDoor(key, { input, call, region, records: deps.records }, () => work(input)),
    );
}

/** Any method of a back end. The back end's own type ensures that it takes the input of its row. */
type BackendMethod = (input: never, call: PortalCall) => unknown;
