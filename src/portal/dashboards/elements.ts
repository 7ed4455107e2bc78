import { z } from "zod";
import type { Operation } from "../../operations/define.ts";
import type { JsonSchema } from "../../operations/json-schema.ts";
import { portalRows } from "../../operations/portal/table.ts";
import type { ElementId } from "../dashboard-catalogue/row.ts";

/** How the console shows an operation: a table, a single object, a form with a button, or a button alone. */
type ElementKind = "table" | "details" | "form" | "action";

/** One column of a table, one line of an object, or one field of a form. */
interface ElementField {
  readonly name: string;
  /** The JSON Schema type: `string`, `boolean`, `array`, …; `any` where every type is allowed. */
  readonly type: string;
  readonly required: boolean;
}

/** An operation as the console renders it. */
export interface Element {
  readonly id: ElementId;
  readonly kind: ElementKind;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string;
  readonly path_params: readonly string[];
  /** True for an operation that deletes something: the console asks first. */
  readonly confirm: boolean;
  /** The fields of the input. */
  readonly inputs: readonly ElementField[];
  /** The fields of the output: the columns of a table, or the lines of an object. */
  readonly fields: readonly ElementField[];
}

const operations = new Map(portalRows.map(({ area, name, operation }) => [`${area}.${name}`, operation]));

function operationOf(id: ElementId): Operation {
  return operations.get(id) as Operation; // every id of the type is in the table
}

/** Returns the permission that an element requires. */
export function permissionOf(id: ElementId): string {
  return operationOf(id).access;
}

/** Returns an element, made from its operation's row. */
export function toElement(id: ElementId): Element {
  const { method, path, access, params, summary, input, output } = operationOf(id);
  const answer = output && writeSchema(output);
  const inputs = input ? fieldsOf(writeSchema(input)) : [];
  return {
    ...{ id, title: summary, method, path, permission: access, path_params: params, inputs },
    kind: method !== "GET" ? (inputs.length > 0 ? "form" : "action") : answer?.type === "array" ? "table" : "details",
    confirm: method === "DELETE",
    fields: fieldsOf(answer?.type === "array" ? (answer.items as JsonSchema) : answer),
  };
}

/** The input and output of an element, as JSON Schema. */
export function schemaOf(id: ElementId): { input?: JsonSchema; output?: JsonSchema } {
  const { input, output } = operationOf(id);
  return { ...(input && { input: writeSchema(input) }), ...(output && { output: writeSchema(output) }) };
}

/** The JSON Schemas of the table's rows, which never change. */
const written = new WeakMap<z.ZodType, JsonSchema>();

/** Inlines every reference, so that each schema is complete. */
function writeSchema(schema: z.ZodType): JsonSchema {
  const known = written.get(schema);
  if (known) return known;
  const { $schema: _dialect, ...fresh } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  written.set(schema, fresh);
  return fresh;
}

function fieldsOf(schema: JsonSchema | undefined): ElementField[] {
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeOf(field),
    required: required.has(name),
  }));
}

function typeOf(field: JsonSchema | boolean): string {
  if (typeof field === "boolean") return "any";
  if (typeof field.type === "string") return field.type;
  const choices = (field.anyOf ?? []).map(typeOf).filter((type) => type !== "null");
  return choices.length > 0 && choices.every((type) => type === choices[0]) ? (choices[0] ?? "any") : "any";
}
