import type { JsonSchema } from "./json-schema.ts";

const root = "#/components/schemas/";
const name = "JsonValue";
const reference = { $ref: root + name };

const simple = ["null", "boolean", "number", "string"].map((type) => ({ type }));
const valueWith = (list: string) => ({ anyOf: [...simple, { $ref: `${root}JsonObject` }, { $ref: root + list }] });
const listOf = (items: string) => ({ type: "array", items: { $ref: root + items } });

/**
 * Any JSON value, spelled out: a schema that allows everything reads as `unknown` in generated clients. Arrays directly in arrays end after the
 * third, since TypeScript resolves a property that is an array of its own type to `any`; objects go on without an end.
 */
const jsonSchemas = {
  [name]: { description: "Any JSON value", ...valueWith("JsonList") },
  JsonObject: { description: "Any JSON object", type: "object", additionalProperties: reference },
  JsonList: { description: "A list of any JSON values", ...listOf("JsonItem") },
  JsonItem: { description: "A value in a list", ...valueWith("JsonInnerList") },
  JsonInnerList: { description: "A list in a list", ...listOf("JsonInnerItem") },
  JsonInnerItem: { description: "A value of a list in a list", ...valueWith("JsonInnermostList") },
  JsonInnermostList: { description: "A list in a list in a list", ...listOf("JsonInnermostItem") },
  JsonInnermostItem: {
    description: "A value of the innermost list",
    anyOf: [...simple, { $ref: `${root}JsonObject` }],
  },
};

type JsonFields = Readonly<Record<string, unknown>>;

/** Returns schemas with a reference to `JsonValue`, which is added with its parts to them, wherever they allow everything. */
export function spellOutSchemas(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return { ...mapValues(schemas, spellOut), ...jsonSchemas } as Record<string, JsonSchema>;
}

/** Returns a part of a document with such a reference in each of its schemas. */
export function spellOutPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(spellOutPart);
  if (!isFields(part)) return part;
  return mapValues(part, (value, field) => (field === "schema" ? spellOut(value) : spellOutPart(value)));
}

const ofOneSchema = new Set(["additionalProperties", "items", "not", "contains", "propertyNames"]);
const ofSeveral = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const ofNamed = new Set(["properties", "patternProperties", "$defs"]);

/** Returns a schema with such references. */
export function spellOut(schema: unknown): unknown {
  if (!isFields(schema)) return schema;
  if (Object.keys(schema).every((keyword) => keyword === "description")) return { ...schema, ...reference };
  return mapValues(schema, (value, keyword) => {
    if (ofOneSchema.has(keyword)) return spellOut(value);
    if (ofSeveral.has(keyword) && Array.isArray(value)) return value.map(spellOut);
    return ofNamed.has(keyword) && isFields(value) ? mapValues(value, spellOut) : value;
  });
}

function mapValues(fields: JsonFields, change: (value: unknown, field: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, change(value, field)]));
}

function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
