import type { Abortable } from "../ports.ts";
import type { AreaTools } from "./area.ts";
import type { Caller, PortalCall } from "./call.ts";
import { listAbove, scopedRecords } from "./scope.ts";
import { createTurns } from "./turn.ts";

/** What a call begins with. */
export interface NewCall {
  readonly caller: Caller;
  /** The region's code. */
  readonly region: string | undefined;
  readonly signal: Abortable;
  readonly eventId: string;
}

/** Makes what operations of a portal are told, narrowed to the place of who calls. */
export function createCalls(tools: AreaTools): (asked: NewCall) => PortalCall {
  const { records, clock, secrets } = tools;
  const turns = createTurns(tools);
  return ({ caller, region = "", signal, eventId }) => ({
    caller,
    region,
    now: clock.now(),
    signal,
    eventId,
    records: scopedRecords(records, caller.place),
    secrets,
    turns,
    listAbove: (kind, where) => listAbove(records, caller.place, { kind, where }),
  });
}
