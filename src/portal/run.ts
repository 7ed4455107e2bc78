import { invoke, type Method } from "../operations/invoke.ts";
import type { PortalRow } from "../operations/portal/table.ts";
import type { AreaTools } from "./area.ts";
import { isChange, witness } from "./audit.ts";
import { type Backends, findBackend, ownBackends } from "./backends.ts";
import type { PortalCall } from "./call.ts";
import { createCalls, type NewCall } from "./calls.ts";
import { checkBefore } from "./dependents.ts";
import { clearAfter } from "./leftovers.ts";
import { createQuotaGuard, type QuotaGuard } from "./quotas/guard.ts";
import { findRegion, type Region } from "./regions.ts";

/** One call of an operation of the portal. */
export interface RowCall extends NewCall {
  readonly row: PortalRow;
  /** The path's parameters and the fields of the input, in one object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What calls are run with. */
interface Runner {
  readonly tools: AreaTools;
  readonly own: Backends;
  readonly guard: QuotaGuard;
  toCall(asked: NewCall): PortalCall;
}

/** Makes what runs the calls of a portal. */
export function createRun(tools: AreaTools): (call: RowCall) => Promise<unknown> {
  const runner = { tools, own: ownBackends(tools), guard: createQuotaGuard(tools), toCall: createCalls(tools) };
  return (call) => run(runner, call);
}

/** Runs one call: region, permission, input, method, output; every change is written to the audit log. */
async function run(runner: Runner, asked: RowCall): Promise<unknown> {
  const { tools } = runner;
  const { row, caller, input } = asked;
  const region = findRegion(tools.regions, asked.region);
  const call = runner.toCall(asked);
  const name = `${row.area}.${row.name}`;
  const { permissions } = caller;
  const invocation = { name, operation: row.operation, input, permissions, region: call.region };
  const method = methodOf(runner, region, { row, call });
  if (!isChange(row)) return invoke(invocation, method);
  const change = { row, input, caller, region: call.region, eventId: call.eventId, now: call.now };
  return witness({ records: tools.records, change }, method, (witnessed) => invoke(invocation, witnessed));
}

interface Approach {
  readonly row: PortalRow;
  readonly call: PortalCall;
}

/** The method of the back end that serves the row's area, bound to the call; one that makes something is held by quotas. */
function methodOf({ own, guard, tools }: Runner, region: Region, { row, call }: Approach): Method | undefined {
  const backend = findBackend(own, region, row.area) as Readonly<Record<string, BackendMethod | undefined>> | undefined;
  const method = backend && Object.hasOwn(backend, row.name) ? backend[row.name] : undefined;
  const name = `${row.area}.${row.name}`;
  if (!method) return undefined;
  const check = checkBefore(name);
  const clear = clearAfter(name);
  const work = async (input: never) => {
    await check?.({ input, region, call });
    const answer = await method.call(backend, input, call);
    await clear?.(tools.records, { input, call });
    return answer;
  };
  return (input) => guard({ name, input, call }, () => work(input));
}

/** Any method of a back end; that it takes what its row's schema gives is said by the back end's own type. */
type BackendMethod = (input: never, call: PortalCall) => unknown;
