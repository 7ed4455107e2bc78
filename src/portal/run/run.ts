import { invoke } from "../../operations/invoke.ts";
import { type PortalRow, rowKey } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { findRegion, type Region } from "../regions.ts";
import { auditedInOrder, auditedTogether, isAudited } from "./audit.ts";
import { type MethodSource, methodOf, openMethods, reachesBackEnd } from "./method.ts";
import { createCalls, holdLeases, type NewCall, recordsOf } from "./new-call.ts";
import { pageOf, takePage } from "./paging.ts";

/** One call of an operation of the portal. */
export interface RowCall extends NewCall {
  readonly row: PortalRow;
  /** The path's parameters and the fields of the input, in one object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What running a call needs. */
interface OperationRunner extends MethodSource {
  toCall(rowCall: NewCall): PortalCall;
}

/** Returns the function that runs the calls of a portal. */
export function createRun(deps: PortalDeps): (call: RowCall) => Promise<unknown> {
  const runner = { ...openMethods(deps), toCall: createCalls(deps) };
  return (call) => run(runner, call);
}

/** Runs one call: region, permission, input, method, output, page. Writes every change, and every reading of a secret, to the audit log. */
async function run(runner: OperationRunner, rowCall: RowCall): Promise<unknown> {
  const { row } = rowCall;
  const region = findRegion(runner.deps.regions, rowCall.region);
  const { input, page } = takePage(row.operation, rowCall.input);
  let isPaged = false;
  const onNext = (next: string | undefined) => {
    isPaged = true;
    if (next !== undefined) rowCall.onNext?.(next);
  };
  const call = { ...runner.toCall(rowCall), page, showNext: onNext };
  const answer = await runInRegion(runner, { ...rowCall, input }, { region, call });
  return page && !isPaged ? pageOf(answer as unknown[], page, onNext) : answer; // a list, as its row says
}

interface RunningCall {
  readonly region: Region;
  readonly call: PortalCall;
}

async function runInRegion(
  runner: OperationRunner,
  { row, caller, input }: RowCall,
  { region, call }: RunningCall,
): Promise<unknown> {
  const { deps } = runner;
  const { permissions } = caller;
  const invocation = { name: rowKey(row), operation: row.operation, input, permissions, region: call.region };
  if (!isAudited(row, permissions)) return invoke(invocation, methodOf(runner, { row, call, region }));
  const change = { row, input, caller, region: call.region, eventId: call.eventId, now: call.now };
  const context = { records: deps.records, change, onSecret: deps.onSecret };
  if (reachesBackEnd(row, input)) {
    return auditedInOrder(context, ({ records, begin }) => {
      const method = methodOf(runner, { row, call: { ...call, ...recordsOf(records, caller) }, region });
      return invoke(invocation, method && (async (checked) => begin().then(() => method(checked))));
    });
  }
  const after: (() => void)[] = [];
  const leases = holdLeases(call.withLease);
  const answer = await auditedTogether(context, (unit) => {
    after.length = 0;
    const parts = { withLease: leases.withLease, afterCommit: (work: () => void) => void after.push(work) };
    const own = { ...call, ...recordsOf(unit.records, caller), ...parts };
    return invoke(invocation, methodOf(runner, { row, call: own, region }));
  }).finally(leases.release);
  for (const work of after) work();
  return answer;
}
