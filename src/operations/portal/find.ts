import { createRouter } from "../router.ts";
import { portalRows } from "./table.ts";

/** Finds an operation of the portal by its method and its path, percent-encoded. */
export const findOperation = createRouter(
  portalRows.map((row) => ({ row, method: row.operation.method, path: row.operation.path })),
);
