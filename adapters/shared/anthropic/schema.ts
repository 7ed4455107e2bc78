import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

type AnthropicSchema = Readonly<Record<string, unknown>>;

/** A schema that constrained decoding takes, and the keywords that it could not keep as constraints. */
export interface NarrowedSchema {
  readonly schema: Record<string, unknown>;
  readonly relaxed: readonly string[];
}

const supportedKeywords = new Set(["type", "enum", "const", "$ref", "required", "description", "title", "default"]);
const schemaMaps = ["properties", "$defs", "definitions"] as const;
const schemaLists = ["anyOf", "oneOf", "allOf"] as const;
const formats = new Set("date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "));

/**
 * Narrows a JSON Schema to what structured outputs take: objects are closed, `oneOf` is `anyOf`, and constraints that are not
 * supported (bounds, patterns, …) become words in the description, so that the model still reads them.
 */
export function narrowSchema(schema: AnthropicSchema): NarrowedSchema {
  const relaxed = new Set<string>();
  return { schema: narrow(schema, relaxed), relaxed: [...relaxed] };
}

function narrow(schema: AnthropicSchema, relaxed: Set<string>): Record<string, unknown> {
  const narrowed: Record<string, unknown> = {};
  const lost: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (supportedKeywords.has(keyword)) narrowed[keyword] = value;
    else if (!carry(keyword, value, { narrowed, relaxed })) lost[keyword] = value;
  }
  if (isObjectSchema(narrowed)) {
    narrowed.additionalProperties = false;
    if (lost.additionalProperties === false) delete lost.additionalProperties;
  }
  describeLost(narrowed, lost, relaxed);
  return narrowed;
}

interface Narrowing {
  readonly narrowed: Record<string, unknown>;
  readonly relaxed: Set<string>;
}

/** Carries a keyword that holds schemas, or that is supported for some values; false when it cannot be kept. */
function carry(keyword: string, value: unknown, { narrowed, relaxed }: Narrowing): boolean {
  const child = (entry: unknown): unknown => (isRecord(entry) ? narrow(entry, relaxed) : entry);
  if (schemaMaps.some((known) => known === keyword) && isRecord(value)) {
    narrowed[keyword] = Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, child(entry)]));
  } else if (schemaLists.some((known) => known === keyword) && Array.isArray(value)) {
    narrowed[keyword === "oneOf" ? "anyOf" : keyword] = value.map(child);
  } else if (keyword === "items" && isRecord(value)) {
    narrowed.items = child(value);
  } else if (keyword === "format" && formats.has(String(value))) {
    narrowed.format = value;
  } else if (keyword === "minItems" && (value === 0 || value === 1)) {
    narrowed.minItems = value;
  } else {
    return keyword === "$schema" || keyword === "$id";
  }
  return true;
}

function isObjectSchema({ type, properties }: Record<string, unknown>): boolean {
  return (
    type === "object" ||
    (Array.isArray(type) && type.includes("object")) ||
    (type === undefined && properties !== undefined)
  );
}

function describeLost(narrowed: Record<string, unknown>, lost: Record<string, unknown>, relaxed: Set<string>): void {
  const entries = Object.entries(lost);
  if (entries.length === 0) return;
  for (const [keyword] of entries) relaxed.add(keyword);
  const rule = `Must satisfy ${entries.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(", ")}.`;
  narrowed.description = typeof narrowed.description === "string" ? `${narrowed.description} ${rule}` : rule;
}
