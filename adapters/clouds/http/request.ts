import { GatewayError } from "../../../src/engine/errors.ts";
import type { Operation } from "../../../src/operations/define.ts";
import { portalTable } from "../../../src/operations/portal/table.ts";
import { createRouter } from "../../../src/operations/router.ts";
import { authorizationOf, checkService, type ServiceOptions } from "../../../src/operations/service-credential.ts";

const route = createRouter(Object.values(portalTable));

/** A call of an operation as it is sent: the path with its parameters in place, and the other fields as JSON. */
export interface PortalRequestParts {
  readonly path: string;
  /** Absent where there are no fields; GET and DELETE carry it too. */
  readonly body?: string;
}

/**
 * Writes a call by its row. Throws `not_found` for parameters that a path cannot carry to this row: `..`, or a name that is a word of
 * another row's path.
 */
export function outgoingOf(operation: Operation, input: Readonly<Record<string, unknown>>): PortalRequestParts {
  const { params } = operation;
  const path = operation.path.replace(/\{\+?([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const found = route(operation.method, path);
  const isCarried =
    found.kind === "found" && found.row === operation && params.every((name) => found.params[name] === input[name]);
  if (!isCarried || path.split("/").some((segment) => /^\.{1,2}$/.test(segment))) {
    throw new GatewayError("not_found", `There is nothing of this name: ${params.join(", ")}.`, { param: params[0] });
  }
  const fields = Object.entries(input).filter(([name, value]) => !params.includes(name) && value !== undefined);
  return fields.length === 0 ? { path } : { path, body: JSON.stringify(Object.fromEntries(fields)) };
}

/** The header that carries the service credential; none without one. Throws `invalid_configuration` for one that is none. */
export function serviceHeaders(service: ServiceOptions | undefined): Record<string, string> {
  return service === undefined ? {} : { authorization: authorizationOf(checkService(service)) };
}
