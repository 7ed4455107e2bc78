import type { InputOf } from "../calls.ts";
import type { Method, Operation, OperationTable } from "../define.ts";
import { consoleAreas, consoleSchemas } from "./console/areas.ts";
import { infrastructure, infrastructureSchemas } from "./infrastructure/areas.ts";
import { tenancy, tenancySchemas } from "./tenancy/areas.ts";

/** The portal's rows by area. */
export const areas = { ...tenancy, ...infrastructure, ...consoleAreas } satisfies Record<string, OperationTable>;
export type Areas = typeof areas;
export type AreaName = keyof Areas;

/** The names of an area's rows with one of the methods `M`. */
type OperationName<Area extends AreaName, M extends Method> = {
  [Name in keyof Areas[Area] & string]: Areas[Area][Name] extends { readonly method: M } ? Name : never;
}[keyof Areas[Area] & string];

/** The keys, `area.name`, of the rows with one of the methods `M` in the areas `Area`. A key that no row has does not compile. */
export type RowKey<M extends Method = Method, Area extends AreaName = AreaName> = {
  [Name in Area]: `${Name}.${OperationName<Name, M>}`;
}[Area];

/** The input of the row with that key. */
export type RowInput<Key extends RowKey> = {
  [Area in AreaName]: {
    [Name in keyof Areas[Area] & string]: Key extends `${Area}.${Name}`
      ? Areas[Area][Name] extends infer Row extends Operation
        ? InputOf<Row>
        : never
      : never;
  }[keyof Areas[Area] & string];
}[AreaName];

/** A row of the table, with its area and its name in it. */
export interface PortalRow {
  readonly area: AreaName;
  readonly name: string;
  readonly operation: Operation;
}

/** Every row of the portal. */
export const portalRows: readonly PortalRow[] = Object.entries(areas).flatMap(([area, rows]) =>
  Object.entries(rows).map(([name, operation]) => ({ area: area as AreaName, name, operation })),
);

/** The key of a row: `area.name`. */
export function rowKey({ area, name }: Pick<PortalRow, "area" | "name">): RowKey {
  return `${area}.${name}` as RowKey; // seam: rows are made from the table, whose keys the type lists
}

/** The rows by their keys, for the document. */
export const portalTable: OperationTable = Object.fromEntries(portalRows.map((row) => [rowKey(row), row.operation]));

/** The portal's resources by name: the components of its OpenAPI document. */
export const portalSchemas: Readonly<Record<string, unknown>> = {
  ...tenancySchemas,
  ...infrastructureSchemas,
  ...consoleSchemas,
};
