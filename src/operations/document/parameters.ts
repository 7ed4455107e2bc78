import type { Operation, OperationAccess } from "../define.ts";
import type { ServiceScheme } from "../security.ts";
import { describeField } from "./field-texts.ts";
import type { JsonSchema } from "./json-schema.ts";
import { spellOut } from "./json-values.ts";
import { pascalCase, type SchemaNames } from "./named-schemas.ts";
import { inForm } from "./schema-form.ts";
import type { TwoSides } from "./two-sides.ts";

/** What the description of an operation is made with. */
export interface RowContext {
  readonly schemas: TwoSides;
  readonly names: SchemaNames;
  readonly service: readonly ServiceScheme[] | undefined;
}

/** Returns the parameters of an operation: of its path, its headers and its query. */
export function parametersOf(row: Operation, id: string, context: RowContext): readonly object[] {
  return [...pathParameters(row), ...headerParameters(row.access), ...queryParameters(row, id, context)];
}

/** True for an access that needs a permission of the portal. */
export function isPermission(access: OperationAccess): boolean {
  return access !== "open" && access !== "virtual_key";
}

/** GET and DELETE take their input from the query: a body on them does not pass every client and proxy. */
export function readsQuery({ method }: Operation): boolean {
  return method === "GET" || method === "DELETE";
}

function pathParameters({ params }: Operation) {
  return params.map((name) => ({
    name,
    in: "path",
    required: true,
    description: describeField("", name) ?? `Identifier: \`${name}\`.`,
    schema: { type: "string" },
  }));
}

const regionHeader = {
  name: "region",
  in: "header",
  required: true,
  description: describeField("", "region"),
  schema: { type: "string" },
};

function headerParameters(access: OperationAccess) {
  return isPermission(access) ? [regionHeader] : [];
}

function queryParameters(row: Operation, id: string, { schemas, names }: Pick<RowContext, "schemas" | "names">) {
  return [readsQuery(row) ? row.input : undefined, row.query].flatMap((query) => {
    if (!query) return [];
    const { properties = {}, required = [] } = inForm(resolve(schemas.request(query), schemas));
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: "query",
      required: required.includes(name),
      description: (schema as JsonSchema).description ?? describeField(id, name),
      schema: names.named(spellOut(schema as JsonSchema) as JsonSchema, pascalCase(`${id}_${name}`)),
    }));
  });
}

/** The schema behind a reference to a component. */
export function resolve(schema: JsonSchema, { components }: TwoSides): JsonSchema {
  return components[schema.$ref?.split("/").at(-1) ?? ""] ?? schema;
}
