import { findSimilar } from "../../engine/runtime/did-you-mean.ts";
import { coerceQuery, type QueryFields } from "../../operations/coerce.ts";
import { type PortalRow, portalRows } from "../../operations/portal/table.ts";
import { createRouter } from "../../operations/router.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { explainRow, writeRows } from "./describe.ts";

/** The row of a call with the input that it is called with. Throws `UsageError` saying what could have been meant. */
export function findCall(method: string, path: string, fields: QueryFields) {
  const { row, params } = findRow(method.toUpperCase(), path);
  return { row, input: { ...coerceQuery(row.operation, fields), ...params } };
}

/** The operations of an area, or those that hold a text. */
export function listOperations(text: string): string {
  const rows = portalRows.filter((row) => row.area === text);
  const found = rows.length > 0 ? rows : portalRows.filter((row) => holds(row, text.toLowerCase()));
  return found.length === 0 ? "No operation.\n" : writeRows(found);
}

/** Describes an operation: its effect, permission and fields. */
export function explainOperation(method: string, path: string): string {
  return explainRow(findRow(method.toUpperCase(), path).row);
}

function holds({ operation: { method, path, access, summary } }: PortalRow, text: string): boolean {
  return `${method} ${path} ${access} ${summary}`.toLowerCase().includes(text);
}

const routes = portalRows.map((row) => ({ row, method: row.operation.method, path: row.operation.path }));

/** Returns the row of a call. Throws `UsageError` with a suggestion for an unknown operation. */
function findRow(method: string, path: string) {
  const found = createRouter(routes)(method, path);
  if (found.kind === "found") return { row: found.row.row, params: found.params };
  if (found.kind === "other_methods")
    throw new UsageError(`${path} does not take ${method}.`, `Valid methods: ${found.methods.join(", ")}.`);
  const near = portalRows.filter(({ operation }) => operation.path.startsWith(path));
  const lines = routes.map((route) => `${route.method} ${route.path}`);
  const similar = findSimilar(`${method} ${path}`, lines);
  const hint =
    near.length > 0
      ? `Operations under this path:\n${writeRows(near)}`
      : similar === undefined
        ? "tollgate portal list shows all operations."
        : `Did you mean ${similar}?`;
  throw new UsageError(`There is no operation ${method} ${path}.`, hint);
}
