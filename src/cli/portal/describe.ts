import { z } from "zod";
import type { Operation } from "../../operations/define.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import { alignColumns } from "../../server/terminal/format.ts";

/** Operations as lines: what to call, and what it does. */
export function writeRows(rows: readonly PortalRow[]): string {
  return alignColumns(rows.map(({ operation: { method, path, summary } }) => [method, path, summary]));
}

/** An operation with its permission and the fields that it takes. */
export function explainRow({ area, operation }: PortalRow): string {
  const { method, path, summary, access } = operation;
  const head = alignColumns([
    ["operation", `${method} ${path}`],
    ["does", summary],
    ["area", area],
    ["permission", access],
  ]);
  const fields = fieldsOf(operation);
  const table = alignColumns([
    ["FIELD", "TYPE", ""],
    ...fields.map(({ name, type, needed }) => [name, type, needed ? "required" : ""]),
  ]);
  return fields.length === 0 ? `${head}It takes no fields.\n` : `${head}\n${table}`;
}

interface DescribedField {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
}

function fieldsOf({ params, input }: Operation): DescribedField[] {
  const shape: Readonly<Record<string, z.ZodType>> = input instanceof z.ZodObject ? input.shape : {};
  return [
    ...params.map((name) => ({ name, type: "in the path", needed: true })),
    ...Object.entries(shape).map(([name, schema]) => ({ name, type: typeOf(schema), needed: !schema.isOptional() })),
  ];
}

function typeOf(schema: z.ZodType): string {
  return nameType(z.toJSONSchema(schema, { io: "input" }));
}

/** The type as people say it: `boolean`, `date-time`, `list of string`, `GET | POST`. */
function nameType(schema: boolean | z.core.JSONSchema.JSONSchema | undefined): string {
  if (typeof schema !== "object") return "any";
  const { type, items, anyOf, enum: choices, format } = schema;
  if (choices) return choices.join(" | ");
  if (anyOf) return [...new Set(anyOf.map(nameType))].join(" or ");
  if (type === "array") return `list of ${Array.isArray(items) ? "any" : nameType(items)}`;
  return format ?? String(type ?? "any");
}
