import { GatewayError } from "../../engine/errors.ts";
import { createAborter } from "../../engine/runtime/abortable.ts";
import { findOperation } from "../../operations/portal/find.ts";
import type { PortalRequest } from "../area.ts";
import type { RowCall } from "./run.ts";

/** Calls an operation by its method and path, with all its checks. Rejects with the error of the operation. */
export function createCallByPath(
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
