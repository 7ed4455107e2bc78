import type { Operation, Table } from "../define.ts";
import { consoleAreas, consoleSchemas } from "./groups/console.ts";
import { infrastructure, infrastructureSchemas } from "./groups/infrastructure.ts";
import { tenancy, tenancySchemas } from "./groups/tenancy.ts";

/** The portal's rows by area. */
export const areas = { ...tenancy, ...infrastructure, ...consoleAreas } satisfies Record<string, Table>;
export type Areas = typeof areas;
export type AreaName = keyof Areas;

/** A row with its place: the area and our word for it. */
export interface PortalRow {
  readonly area: AreaName;
  readonly name: string;
  readonly operation: Operation;
}

/** Every row of the portal. */
export const portalRows: readonly PortalRow[] = Object.entries(areas).flatMap(([area, rows]) =>
  Object.entries(rows).map(([name, operation]) => ({ area: area as AreaName, name, operation })),
);

/** The rows by `area.name`, for the document. */
export const portalTable: Table = Object.fromEntries(
  portalRows.map(({ area, name, operation }) => [`${area}.${name}`, operation]),
);

/** The portal's resources by name: the components of its OpenAPI document. */
export const portalSchemas: Readonly<Record<string, unknown>> = {
  ...tenancySchemas,
  ...infrastructureSchemas,
  ...consoleSchemas,
};
