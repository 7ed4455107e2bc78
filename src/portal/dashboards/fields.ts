import type { JsonSchema } from "../../operations/document/json-schema.ts";

/** How a value is shown; `id:<element>` names a row of another element's answer. */
type FieldFormat =
  | "text"
  | "count"
  | "money"
  | "bytes"
  | "duration"
  | "instant"
  | "secret"
  | "state"
  | "percent"
  | "flag"
  | "id"
  | `id:${string}`
  | "list"
  | "object";

/** The element and the fields of its rows that the values of an input are chosen from. */
interface ChoiceSource {
  readonly element: string;
  /** The path of the element's operation. */
  readonly path: string;
  readonly value: string;
  readonly label: string;
}

/** One column of a table, one line of an object, or one field of a form. */
export interface ElementField {
  readonly name: string;
  /** The JSON Schema type: `string`, `boolean`, `array`, …; `any` where every type is allowed. */
  readonly type: string;
  readonly required: boolean;
  /** The text to show as its name; where the language has none, the name in words. */
  readonly label_key: string;
  readonly format: FieldFormat;
  /** The unit of a `duration`: `ms` or `s`. */
  readonly unit?: "ms" | "s";
  /** 1 is shown first; where there is no room, the largest go. */
  readonly priority: number;
  readonly width: "narrow" | "medium" | "wide";
  /** True for what a table leaves to the details. */
  readonly hidden: boolean;
  /** The values of a closed list. */
  readonly choices?: readonly string[];
  readonly source?: ChoiceSource;
}

/** Returns what an input or a column is chosen from or names; undefined where its name tells of no other element. */
export type FindSource = (name: string) => ChoiceSource | undefined;

/** Returns the fields of a schema as a renderer needs them. */
export function fieldsOf(schema: JsonSchema | undefined, findSource: FindSource = () => undefined): ElementField[] {
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, field], position) => {
    const type = typeOf(field);
    const plain = plainOf(field);
    const source = findSource(name);
    const format = formatOf(name, { type, plain, source });
    const choices = plain.enum?.filter((value): value is string => typeof value === "string");
    return {
      ...{ name, type, required: required.has(name), label_key: `label.${name}`, format },
      ...(format === "duration" && { unit: unitOf(name) }),
      priority: priorityOf(name, position),
      width: widths[format.startsWith("id") ? "id" : format] ?? "medium",
      hidden: type === "object" || type === "array" || format === "secret",
      ...(choices?.length && { choices }),
      ...(source && { source }),
    };
  });
}

const widths: Readonly<Record<string, ElementField["width"]>> = {
  ...{ count: "narrow", money: "narrow", bytes: "narrow", duration: "narrow", percent: "narrow", flag: "narrow" },
  ...{ state: "narrow", list: "wide", object: "wide" },
};

function typeOf(field: JsonSchema | boolean): string {
  if (typeof field === "boolean") return "any";
  if (typeof field.type === "string") return field.type;
  const choices = (field.anyOf ?? []).map(typeOf).filter((type) => type !== "null");
  return choices.length > 0 && choices.every((type) => type === choices[0]) ? (choices[0] ?? "any") : "any";
}

/** The schema without the `null` that a field may also be. */
function plainOf(field: JsonSchema | boolean): JsonSchema {
  if (typeof field === "boolean") return {};
  const choices = (field.anyOf ?? []).filter((one) => typeof one === "object" && one.type !== "null");
  return choices.length === 1 && typeof choices[0] === "object" ? choices[0] : field;
}

const isStateName = /^(state|status|outcome|phase|severity|level)$|_(state|status)$/;
const isSecretName = /^(kubeconfig|credential)$|(^|_)(password|secret|secret_key)$/;
const isMoneyName = /^(cost|price|amount|spend|saved)$|_(cost|price)$|^(cost|price)_|_cost_|cost_per|^min_cost$/;
const isDurationName = /latency|time_to_first_token|process_time|seconds$|^overlap$/i;

interface FieldFacts {
  readonly type: string;
  /** Its schema, without the `null` that it may also be. */
  readonly plain: JsonSchema;
  readonly source: ChoiceSource | undefined;
}

function formatOf(name: string, { type, plain, source }: FieldFacts): FieldFormat {
  if (type === "boolean") return "flag";
  if (type === "array") return "list";
  if (type === "object") return "object";
  if (type === "number" || type === "integer") {
    if (isDurationName.test(name)) return "duration";
    if (type === "number" && isMoneyName.test(name)) return "money";
    if (/bytes/.test(name)) return "bytes";
    return /percent/.test(name) ? "percent" : "count";
  }
  if (plain.format === "date-time") return "instant";
  if (isSecretName.test(name)) return "secret";
  if (source) return `id:${source.element}`;
  if (name === "id" || name.endsWith("_id")) return "id";
  return isStateName.test(name) ? "state" : "text";
}

function unitOf(name: string): "ms" | "s" {
  return /seconds$|process_time/i.test(name) ? "s" : "ms";
}

const leading = ["name", "username", "title", "state", "status", "active", "is_active", "enabled"];
const trailing = ["id", "description", "created_at", "updated_at", "timestamp"];

/** Names and states first, ids and instants last. */
function priorityOf(name: string, position: number): number {
  const lead = leading.indexOf(name);
  if (lead !== -1) return lead + 1;
  const rank = trailing.includes(name) || name.endsWith("_id") ? 200 : 100;
  return rank + position;
}
