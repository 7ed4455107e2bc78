import { invoke, type OperationMethod } from "../../operations/invoke.ts";
import { type PortalRow, rowKey } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import { type Backends, findBackend, ownBackends } from "../backends.ts";
import type { PortalCall } from "../call/call.ts";
import { createQuotaGuard, type QuotaGuard } from "../quotas/guard.ts";
import { findRegion, type Region } from "../regions.ts";
import { audited, isAudited } from "./audit.ts";
import { deletionHooks } from "./deletions.ts";
import { createCalls, type NewCall } from "./new-call.ts";

/** One call of an operation of the portal. */
export interface RowCall extends NewCall {
  readonly row: PortalRow;
  /** The path's parameters and the fields of the input, in one object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What running a call needs. */
interface OperationRunner {
  readonly deps: PortalDeps;
  readonly own: Backends;
  readonly guard: QuotaGuard;
  toCall(rowCall: NewCall): PortalCall;
}

/** Returns the function that runs the calls of a portal. */
export function createRun(deps: PortalDeps): (call: RowCall) => Promise<unknown> {
  const runner = { deps, own: ownBackends(deps), guard: createQuotaGuard(deps), toCall: createCalls(deps) };
  return (call) => run(runner, call);
}

/** Runs one call: region, permission, input, method, output. Writes every change, and every reading of a secret, to the audit log. */
async function run(runner: OperationRunner, rowCall: RowCall): Promise<unknown> {
  const { deps } = runner;
  const { row, caller, input } = rowCall;
  const region = findRegion(deps.regions, rowCall.region);
  const call = runner.toCall(rowCall);
  const name = rowKey(row);
  const { permissions } = caller;
  const invocation = { name, operation: row.operation, input, permissions, region: call.region };
  const method = methodOf(runner, region, { row, call });
  if (!isAudited(row, permissions)) return invoke(invocation, method);
  const change = { row, input, caller, region: call.region, eventId: call.eventId, now: call.now };
  return audited({ records: deps.records, change, onSecret: deps.onSecret }, method, (recorded) =>
    invoke(invocation, recorded),
  );
}

interface AuthorizedCall {
  readonly row: PortalRow;
  readonly call: PortalCall;
}

/** Returns the method of the back end that serves the row's area, bound to the call, with its quota check and deletion hooks. */
function methodOf(
  { own, guard, deps }: OperationRunner,
  region: Region,
  { row, call }: AuthorizedCall,
): OperationMethod | undefined {
  const backend = findBackend(own, region, row.area) as Readonly<Record<string, BackendMethod | undefined>> | undefined;
  const method = backend && Object.hasOwn(backend, row.name) ? backend[row.name] : undefined;
  if (!method) return undefined;
  const key = rowKey(row);
  const hooks = deletionHooks(key);
  const work = async (input: never) => {
    await hooks.before?.({ input, region, call });
    const answer = await method.call(backend, input, call);
    await hooks.after?.(deps.records, { input, call });
    return answer;
  };
  return (input) => guard({ key, input, call }, () => work(input));
}

/** Any method of a back end. The back end's own type ensures that it takes the input of its row. */
type BackendMethod = (input: never, call: PortalCall) => unknown;
