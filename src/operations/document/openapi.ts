import type { z } from "zod";
import type { Operation, OperationTable } from "../define.ts";
import { requirementsOf, type ServiceScheme, schemesOf } from "../security.ts";
import { failureComponents, failureSchemas, headerComponents, withOpenCodes } from "./failures.ts";
import { describeUsed } from "./field-texts.ts";
import { spellOutPart, spellOutSchemas } from "./json-values.ts";
import { nameSchemas } from "./named-schemas.ts";
import { describeRow } from "./operation.ts";
import { type Tag, tagsOf } from "./tags.ts";
import { writeBothSides } from "./two-sides.ts";

/** The parts of a document. */
export interface DocumentSource {
  readonly title: string;
  /** Version of the interface, not of the package. */
  readonly version: string;
  readonly table: OperationTable;
  /** Schemas by name; other values are ignored. Those that the operations use become components. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** How the service credential is accepted under `/api`; empty where none is required. */
  readonly service?: readonly ServiceScheme[];
}

/** An OpenAPI 3.1 document without `servers`: only its server knows where it is mounted. */
export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

/** Describes the operations of a table as an OpenAPI 3.1 document; every `$ref` resolves inside it. */
export function describeOperations({
  title,
  version,
  table,
  schemas: named,
  service,
}: DocumentSource): OpenApiDocument {
  const rows = Object.entries(table);
  const schemas = writeBothSides({ ...named, ...failureSchemas }, usedBy(rows.map(([, row]) => row)));
  const names = nameSchemas(spellOutSchemas(withOpenCodes(schemas.components)));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, row] of rows) {
    const path = row.path.replace("{+", "{");
    const operation = describeRow(name, row, { schemas, names, service });
    paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation };
  }
  const responses = spellOutPart(failureComponents(schemas));
  const components = {
    schemas: describeUsed({ paths, responses }, Object.fromEntries(names.components)),
    responses,
    headers: headerComponents,
    securitySchemes: schemesOf(rows.flatMap(([, { access }]) => requirementsOf(access, service))),
  };
  return { openapi: "3.1.0", info: { title, version }, tags: tagsOf(rows), paths, components };
}

function usedBy(rows: readonly Operation[]) {
  const isThere = (schema: z.ZodType | undefined) => schema !== undefined;
  return {
    requests: rows.flatMap(({ input, query }) => [input, query]).filter(isThere),
    answers: [
      ...Object.values(failureSchemas),
      ...rows.flatMap(({ output, stream, failure }) => [output, stream, failure]).filter(isThere),
    ],
  };
}
