import type { Store } from "../../ports/store.ts";
import { graceMs } from "../accounting/plan-charge.ts";
import { lostEntryOf } from "../accounting/settle.ts";
import type { Call } from "../call/call.ts";
import { type ActiveSet, type ActiveSetWatcher, createActiveSet } from "../runtime/active-set.ts";
import { guardRecords } from "../runtime/port-call.ts";
import type { CancellableCall, Ports } from "../runtime/ports.ts";
import { type CallUnderWay, createLostCalls, type LostCalls } from "./lost-calls.ts";

/** The calls of an engine, none yet. */
export function createCalls(watcher: ActiveSetWatcher): ActiveSet<CancellableCall> {
  return createActiveSet<CancellableCall>(watcher);
}

/** The calls under way of an engine with a store. The rows of calls that an earlier process lost are written once its counters are recovered. */
export function openLostCalls(ports: Ports, store: Store): LostCalls {
  const { accounting, calls, clock, ids } = ports;
  const lostCalls = createLostCalls({
    records: guardRecords(store.records, accounting.timeouts.long),
    ledger: store.ledger,
    clock,
    ids,
    calls,
    list: () => [...calls].flatMap((call) => asUnderWay(call as Call)), // whatever is under way is a call of this pipeline
    isAlone: () => accounting.counters.restore !== undefined,
  });
  Promise.resolve(accounting.recovered?.())
    .then(() => lostCalls.recover())
    .catch(() => {}); // tried again while there are calls
  return lostCalls;
}

/** How many calls of each virtual key are under way, by the key's id. */
export function countByKey(calls: Iterable<CancellableCall>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const { access } = call as Call; // as above
    if (access) counts.set(access.keyId, (counts.get(access.keyId) ?? 0) + 1);
  }
  return counts;
}

/** Nothing for a call that has been refused, or that nobody has read yet. */
function asUnderWay(call: Call): CallUnderWay[] {
  if (call.isSettled || call.facts === undefined) return [];
  return [{ id: call.id, lapsesAt: call.deadline + graceMs, lostEntry: () => lostEntryOf(call) }];
}
