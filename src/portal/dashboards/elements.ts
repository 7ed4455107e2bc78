import { z } from "zod";
import type { Operation } from "../../operations/define.ts";
import type { JsonSchema } from "../../operations/json-schema.ts";
import { portalRows } from "../../operations/portal/table.ts";
import type { ElementId } from "./row.ts";

/** How an operation looks: rows, one thing, a form with a button, or a button alone. */
type Kind = "table" | "details" | "form" | "action";

/** One column of a table, one line of a thing, or one field of a form. */
interface Field {
  readonly name: string;
  /** JSON Schema's word for what it holds: `string`, `boolean`, `array`, …; `any` where anything may stand. */
  readonly type: string;
  readonly required: boolean;
}

/** An operation as the console renders it. */
export interface Element {
  readonly id: ElementId;
  readonly kind: Kind;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string;
  readonly path_params: readonly string[];
  /** Destroys something: to be asked about first. */
  readonly confirm: boolean;
  /** What goes in. */
  readonly inputs: readonly Field[];
  /** What comes out: the columns of a table's rows, or the lines of one thing. */
  readonly fields: readonly Field[];
}

const operations = new Map(portalRows.map(({ area, name, operation }) => [`${area}.${name}`, operation]));

function operationOf(id: ElementId): Operation {
  return operations.get(id) as Operation; // the type holds the table's own names
}

/** The permission that an element asks for. */
export function permissionOf(id: ElementId): string {
  return operationOf(id).access;
}

/** An element, made of its operation's row. */
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

/** What goes into an element and what comes out, as JSON Schema. */
export function schemaOf(id: ElementId): { input?: JsonSchema; output?: JsonSchema } {
  const { input, output } = operationOf(id);
  return { ...(input && { input: writeSchema(input) }), ...(output && { output: writeSchema(output) }) };
}

/** What was written of the table's schemas, which never change. */
const written = new WeakMap<z.ZodType, JsonSchema>();

/** Every reference in place: each schema can be read by itself. */
function writeSchema(schema: z.ZodType): JsonSchema {
  const known = written.get(schema);
  if (known) return known;
  const { $schema: _dialect, ...fresh } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  written.set(schema, fresh);
  return fresh;
}

function fieldsOf(schema: JsonSchema | undefined): Field[] {
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
