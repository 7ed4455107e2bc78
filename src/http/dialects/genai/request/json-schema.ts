import { isRecord } from "../../../../engine/dialects/wire-values.ts";

type PlainJsonSchema = Record<string, unknown>;

/** Keywords of the vendor's whose values are schemas. */
const schemaMaps = new Set(["properties", "defs"]);
const schemaLists = new Set(["anyOf", "prefixItems"]);
/** Counts that the vendor sends as text (int64). */
const counts = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
/** What JSON Schema has no word for, or another. */
const dropped = new Set(["nullable", "propertyOrdering", "example"]);

/** The vendor's form of a schema (OpenAPI 3.0 with types in capitals, and `nullable`) as JSON Schema. */
export function toJsonSchema(schema: PlainJsonSchema): PlainJsonSchema {
  const written: PlainJsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!dropped.has(keyword)) written[keyword] = writeKeyword(keyword, value);
  }
  if (schema.nullable !== true) return written;
  if (typeof written.type === "string") written.type = [written.type, "null"];
  if (Array.isArray(written.anyOf)) written.anyOf = [...written.anyOf, { type: "null" }];
  if (Array.isArray(written.enum) && !written.enum.includes(null)) written.enum = [...written.enum, null];
  return written;
}

function writeKeyword(keyword: string, value: unknown): unknown {
  if (keyword === "type") return Array.isArray(value) ? value.map(lowered) : lowered(value);
  if (counts.has(keyword)) return typeof value === "string" ? Number(value) : value;
  if (schemaLists.has(keyword) && Array.isArray(value)) return value.map(innerSchema);
  if (schemaMaps.has(keyword) && isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, innerSchema(inner)]));
  }
  return keyword === "items" || keyword === "additionalProperties" ? innerSchema(value) : value;
}

function innerSchema(value: unknown): unknown {
  return isRecord(value) ? toJsonSchema(value) : value;
}

function lowered(type: unknown): unknown {
  return typeof type === "string" ? type.toLowerCase() : type;
}
