/** The part of JSON Schema that the forms of the console read. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly description?: string;
}

/** How a field is filled in. */
export type FieldKind = "flag" | "choice" | "number" | "list" | "instant" | "json" | "text";

/** The schema without the `null` that a field may also be. */
export function plainSchema(schema: FieldSchema): FieldSchema {
  if (typeof schema.type === "object") {
    const types = schema.type.filter((type) => type !== "null");
    return types.length === 1 && types[0] ? { ...schema, type: types[0] } : schema;
  }
  const choices = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  return choices.length === 1 && choices[0] ? choices[0] : schema;
}

/** How a field of this schema is filled in; what has no form of its own is JSON. */
export function kindOf(schema: FieldSchema): FieldKind {
  const { type, enum: values, format, items, anyOf } = plainSchema(schema);
  if (values?.every((value) => typeof value === "string")) return "choice";
  if (type === "boolean") return "flag";
  if (type === "integer" || type === "number") return "number";
  if (type === "array" && (items?.type === "string" || items?.type === "integer")) return "list";
  if (type === "string") return format === "date-time" ? "instant" : "text";
  return anyOf?.some((choice) => choice.type === "string") ? "text" : "json";
}

/** A field that was filled in: its value, or what is wrong with it. */
export type FieldValue = { readonly value: unknown } | { readonly problem: FieldProblem };

/** What is wrong with a field; `limit` is the bound that it breaks. */
export interface FieldProblem {
  readonly kind:
    | "required"
    | "number"
    | "json"
    | "instant"
    | "too_short"
    | "too_long"
    | "too_low"
    | "too_high"
    | "pattern";
  readonly limit?: number;
}

/** Reads what was typed into a field. An empty field has the value undefined: it is not sent. A box that must be sent and was not ticked is false. */
export function readField(schema: FieldSchema, typed: string, isRequired: boolean): FieldValue {
  const kind = kindOf(schema);
  if (typed === "") {
    const isText = kind === "text" && (plainSchema(schema).minLength ?? 0) === 0;
    if (!isRequired) return { value: undefined };
    if (kind === "flag") return { value: false };
    return isText ? { value: "" } : kind === "list" ? { value: [] } : { problem: { kind: "required" } };
  }
  return readers[kind](plainSchema(schema), typed);
}

const readers: Readonly<Record<FieldKind, (schema: FieldSchema, typed: string) => FieldValue>> = {
  flag: (_schema, typed) => ({ value: typed === "true" }),
  choice: (_schema, typed) => ({ value: typed }),
  number: readNumber,
  list: ({ items }, typed) => readList(items ?? {}, typed),
  instant: (_schema, typed) => {
    const ms = Date.parse(typed);
    return Number.isNaN(ms) ? { problem: { kind: "instant" } } : { value: new Date(ms).toISOString() };
  },
  json: (_schema, typed) => {
    try {
      return { value: JSON.parse(typed) };
    } catch {
      return { problem: { kind: "json" } };
    }
  },
  text: readText,
};

function readNumber({ type, minimum, maximum }: FieldSchema, typed: string): FieldValue {
  const value = Number(typed);
  if (!Number.isFinite(value) || (type === "integer" && !Number.isSafeInteger(value)))
    return { problem: { kind: "number" } };
  if (minimum !== undefined && value < minimum) return { problem: { kind: "too_low", limit: minimum } };
  if (maximum !== undefined && value > maximum) return { problem: { kind: "too_high", limit: maximum } };
  return { value };
}

function readList(items: FieldSchema, typed: string): FieldValue {
  const parts = typed
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (items.type !== "integer") return { value: parts };
  const numbers = parts.map(Number);
  return numbers.every(Number.isSafeInteger) ? { value: numbers } : { problem: { kind: "number" } };
}

function readText({ minLength = 0, maxLength = Infinity, pattern }: FieldSchema, typed: string): FieldValue {
  if (typed.length < minLength) return { problem: { kind: "too_short", limit: minLength } };
  if (typed.length > maxLength) return { problem: { kind: "too_long", limit: maxLength } };
  if (pattern !== undefined && !matches(pattern, typed)) return { problem: { kind: "pattern" } };
  return { value: typed };
}

/** A pattern that this browser does not know is left to the gateway. */
function matches(pattern: string, typed: string): boolean {
  try {
    return new RegExp(pattern, "u").test(typed);
  } catch {
    return true;
  }
}
