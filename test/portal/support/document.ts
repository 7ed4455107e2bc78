import { writeSchemas } from "../../../src/operations/document/json-schema.ts";
import { describeOperations } from "../../../src/operations/document/openapi.ts";
import { type PortalRow, portalRows, portalSchemas, portalTable } from "../../../src/operations/portal/table.ts";
import type { Components, Schema } from "./from-schema.ts";

/** The portal's rows with their inputs and outputs as JSON Schema. */
export interface DescribedRow extends PortalRow {
  /** `area.name`. */
  readonly id: string;
  readonly input: Schema | undefined;
  readonly output: Schema | undefined;
}

const used = portalRows
  .flatMap(({ operation: { input, output } }) => [input, output])
  .filter((schema) => schema !== undefined);
const book = writeSchemas(portalSchemas, used);

/** The named schemas that the rows refer to. */
export const components = book.components as Components;

/** Every row of the portal, described. */
export const describedRows: readonly DescribedRow[] = portalRows.map((row) => ({
  ...row,
  id: `${row.area}.${row.name}`,
  input: row.operation.input && (book.read(row.operation.input) as Schema),
  output: row.operation.output && (book.read(row.operation.output) as Schema),
}));

/** The document of the portal alone. */
export const portalDocument = describeOperations({
  title: "Portal",
  version: "1.0.0",
  table: portalTable,
  schemas: portalSchemas,
});
