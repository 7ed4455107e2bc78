import { GatewayError } from "../../engine/errors.ts";
import { createAborter } from "../../engine/runtime/abortable.ts";
import { findOperation } from "../../operations/portal/find.ts";
import { portalKinds } from "../../operations/record-kinds.ts";
import type { PortalDeps, PortalRequest } from "../area.ts";
import { createRun, type RowCall } from "./run.ts";

/** The calls of a portal, whose kinds of records the store knows from now on: the dependencies with what calls operations by their paths, and what runs the call of a row. */
export function openRun(parts: Omit<PortalDeps, "call">): {
  readonly deps: PortalDeps;
  run(call: RowCall): Promise<unknown>;
} {
  parts.records.define(portalKinds);
  const deps: PortalDeps = { ...parts, call: createCallByPath((call) => run(call), parts.engine.newEventId) };
  const run = createRun(deps);
  return { deps, run };
}

/** Calls an operation by its method and path, with all its checks. Rejects with the error of the operation. */
function createCallByPath(
  run: (call: RowCall) => Promise<unknown>,
  newEventId: () => string,
): (request: PortalRequest) => Promise<unknown> {
  return async ({ method, path, input: fields = {}, caller, region }) => {
    const found = findOperation(method, path);
    if (found.kind !== "found") throw new GatewayError("not_found", `Unknown operation ${method} ${path}.`);
    const input = { ...fields, ...found.params };
    const { row } = found.row;
    return run({ row, input, caller, region, signal: createAborter(), eventId: newEventId() });
  };
}
