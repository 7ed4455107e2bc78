import { z } from "zod";
import type { Operation } from "../../operations/define.ts";
import type { JsonSchema } from "../../operations/document/json-schema.ts";
import { portalRows } from "../../operations/portal/table.ts";
import {
  type AnswerDisplay,
  answerDisplays,
  type ChartAxes,
  type Confirmation,
  charts,
  confirmations,
} from "../dashboard-catalogue/effects.ts";
import type { ElementId } from "../dashboard-catalogue/row.ts";
import { type ElementField, type FindSource, fieldsOf } from "./fields.ts";

/** How the console shows an operation: a table, a single object, a form with a button, or a button alone. */
type ElementKind = "table" | "details" | "form" | "action";

/** An operation as the console renders it. */
export interface Element {
  readonly id: ElementId;
  readonly kind: ElementKind;
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly permission: string;
  readonly path_params: readonly string[];
  /** What is asked of the user first. */
  readonly confirm: Confirmation;
  /** True for what destroys something. */
  readonly danger: boolean;
  /** How the answer of a change is shown. */
  readonly result: AnswerDisplay;
  /** The elements of the dashboard whose answers a change makes stale. */
  readonly refreshes: readonly ElementId[];
  readonly chart?: ChartAxes;
  /** The fields of the input. */
  readonly inputs: readonly ElementField[];
  /** The fields of the output: the columns of a table, or the lines of an object. */
  readonly fields: readonly ElementField[];
}

const operations = new Map(portalRows.map(({ area, name, operation }) => [`${area}.${name}`, operation]));

function operationOf(id: ElementId): Operation {
  return operations.get(id) as Operation; // every id of the type is in the table
}

/** Returns the fields of an element's answer, or of the rows of its list. */
export function fieldsOfAnswer(id: ElementId): readonly ElementField[] {
  return toElement(id).fields;
}

/** Returns the path of an element's operation. */
export function pathOf(id: ElementId): string {
  return operationOf(id).path;
}

/** Returns the permission that an element requires. */
export function permissionOf(id: ElementId): string {
  return operationOf(id).access;
}

/** What an element takes from the dashboard that it is on. */
interface DashboardContext {
  readonly findSource?: FindSource;
  readonly elements?: readonly ElementId[];
}

/** Returns an element, made from its operation's row and the dashboard that it is on. */
export function toElement(id: ElementId, { findSource, elements = [] }: DashboardContext = {}): Element {
  const { method, path, access, params, summary, input, output } = operationOf(id);
  const answer = output && writeSchema(output);
  const inputs = input ? fieldsOf(writeSchema(input), findSource) : [];
  const chart = charts[id];
  const isRead = method === "GET";
  const rows = elements.filter((each) => operationOf(each).method === "GET" && answerDisplays[each] === undefined);
  return {
    ...{ id, title: summary, method, path, permission: access, path_params: params, inputs },
    kind: isRead ? (answer?.type === "array" ? "table" : "details") : inputs.length > 0 ? "form" : "action",
    confirm: confirmations[id] ?? (method === "DELETE" ? "ask" : "none"),
    danger: method === "DELETE" || confirmations[id] === "type",
    result: answerDisplays[id] ?? "toast",
    refreshes: isRead ? [] : rows,
    ...(chart && { chart }),
    fields: fieldsOf(answer?.type === "array" ? (answer.items as JsonSchema) : answer, findSource),
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
