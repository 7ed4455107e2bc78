import type { JsonSchema } from "./json-schema.ts";

/**
 * The form that generators of clients need, keyword by keyword: every number has a width, a type is one type, a union has no union among its
 * members, an enum has no two values that become one name, and a constant has a type.
 */
export function inForm(schema: JsonSchema): JsonSchema {
  return withWidth(withEnumNames(withOneType(withoutAlternatives(withoutOwnKeywords(schema)))));
}

/** Marks a field that is not documented. */
const isLeftOut = "x-left-out";

/** A property of this name is what JSON Schema calls its own keyword, and breaks generators; the object that has it is open to it anyway. */
const reservedProperty = "additionalProperties";

function withoutOwnKeywords({ propertyNames, ...schema }: JsonSchema): JsonSchema {
  const isPlainName = JSON.stringify(propertyNames) === '{"type":"string"}';
  const named = propertyNames === undefined || isPlainName ? schema : { ...schema, propertyNames };
  if (!named.properties) return named;
  const shown = Object.entries(named.properties).filter(
    ([name, part]) => name !== reservedProperty && !(typeof part === "object" && isLeftOut in part),
  );
  return { ...named, properties: Object.fromEntries(shown) };
}

/** Alternatives of required fields are no union of shapes: they become a sentence. */
function withoutAlternatives(schema: JsonSchema): JsonSchema {
  const { anyOf, description, ...rest } = schema;
  if (!anyOf || !schema.properties) return schema;
  const names = anyOf.flatMap((part) => (part as JsonSchema).required ?? []).map((name) => `\`${name}\``);
  const sentence = `At least one of ${names.join(" and ")} is required.`;
  return { ...rest, description: description === undefined ? sentence : `${description} ${sentence}` };
}

/** A list of types becomes a union of one type each; what else the schema says stays with the members that it can apply to. */
function withOneType(schema: JsonSchema): JsonSchema {
  const { type, description, default: fallback, ...rest } = schema;
  if (Array.isArray(type)) {
    const members = (type as string[]).map((one) => (one === "null" ? { type: one } : { ...rest, type: one }));
    return { ...withoutAbsent({ description, default: fallback }), anyOf: members as JsonSchema[] };
  }
  if (typeof schema.const !== "string")
    return type === undefined && "const" in schema ? { ...schema, ...typeOf(schema.const) } : schema;
  // A list of one value: a generator writes broken code for an open object whose fields are all constants.
  const { const: only, ...own } = schema;
  return { ...own, type: "string", enum: [only] };
}

function typeOf(value: unknown): JsonSchema {
  if (value === null) return { type: "null" };
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
    ? { type: typeof value as "string" | "boolean" | "number" }
    : {};
}

function withWidth(schema: JsonSchema): JsonSchema {
  if (schema.format !== undefined) return schema;
  if (schema.type === "number") return { ...schema, format: "double" };
  return schema.type === "integer" ? { ...schema, format: "int64" } : schema;
}

/** Values that differ in case or punctuation alone become one constant in many languages: they get names of their own. */
const namesOfValues: Readonly<Record<string, string>> = {
  "1m": "every_minute",
  "1h": "every_hour",
  "1d": "every_day",
  "1w": "every_week",
  "1M": "every_month",
  "1Q": "every_quarter",
  "1Y": "every_year",
  never: "never",
};

/** Spellings of one value that are accepted; the document has the other one. */
const otherSpellings: ReadonlySet<unknown> = new Set(["in_memory"]);

function withEnumNames(schema: JsonSchema): JsonSchema {
  const values = schema.enum?.filter((value) => !otherSpellings.has(value));
  if (!values) return schema;
  const isClear = new Set(values.map(nameOfValue)).size === values.length;
  const names = values.map((value) => namesOfValues[String(value)] ?? nameOfValue(value));
  return { ...schema, enum: values, ...(isClear ? {} : { "x-enum-varnames": names }) };
}

/** The name that a value of an enum gets in a language of constants. */
function nameOfValue(value: unknown): string {
  return String(value)
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
}

/** The members of a union with the members of unions among them; a member that is there twice is there once. */
export function flattenUnion(members: readonly JsonSchema[]): JsonSchema[] {
  const flat = members.flatMap((member): JsonSchema[] => {
    const one = withOneType(member);
    const inner = one.anyOf ?? one.oneOf;
    const isUnionAlone =
      inner && Object.keys(one).every((keyword) => ["anyOf", "oneOf", "description"].includes(keyword));
    return isUnionAlone ? flattenUnion(inner as JsonSchema[]) : [one];
  });
  return mergeTexts([...new Map(flat.map((member) => [JSON.stringify(member), member])).values()]);
}

/** Texts of several forms among the members are one text, whose pattern has the forms: generators know no union of texts. */
function mergeTexts(members: readonly JsonSchema[]): JsonSchema[] {
  const texts = members.filter(({ type }) => type === "string");
  if (texts.length < 2) return [...members];
  const patterns = texts.map(patternOf);
  const values = texts.flatMap((text) => text.enum ?? ("const" in text ? [text.const] : []));
  const isOpen = patterns.includes(undefined);
  const rest = isOpen
    ? { ...(values.length > 0 ? { "x-extensible-enum": values } : {}) }
    : { pattern: patterns.join("|") };
  const first = members.indexOf(texts[0] as JsonSchema);
  const merged: JsonSchema = { type: "string", ...rest };
  return members.flatMap((member, at) => (at === first ? [merged] : texts.includes(member) ? [] : [member]));
}

const date = "\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])";
const time = "(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?";
const instantPattern = `^${date}T${time}(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$`;

function patternOf(text: JsonSchema): string | undefined {
  const values = text.enum ?? ("const" in text ? [text.const] : undefined);
  if (values) return `^(?:${values.map((value) => String(value).replaceAll(/[^A-Za-z0-9_ ]/g, "\\$&")).join("|")})$`;
  return text.format === "date-time" ? instantPattern : text.pattern;
}

/** The members of `fields` that have a value. */
export function withoutAbsent(fields: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
