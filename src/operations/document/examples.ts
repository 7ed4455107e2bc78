import type { JsonSchema } from "./json-schema.ts";

const root = "#/components/schemas/";
type NamedSchemas = ReadonlyMap<string, JsonSchema>;

/** Texts for fields of these names. */
const byName: Readonly<Record<string, string>> = {
  model: "openai/gpt-4o-mini",
  email: "ada@example.com",
  timezone: "Europe/Berlin",
  language: "en",
  lang: "en",
  region: "eu-1",
};

/** Texts for the patterns of our fields; the first that a pattern accepts is the example. */
const samples = [
  ...["text", "30d", "03:00", "2026-01-31T09:30:00Z", "/users", "https://example.com", "*", "a", "#336699", "en", "1"],
  ...[
    "0 3 * * *",
    "123456",
    "-created_at",
    "10.0.0.0/24",
    "eu-1",
    "metadata.team",
    "ABC",
    "data:image/png;base64,iVBORw0KGgo=",
  ],
  ...["a1b2c3", "openai/gpt-4o-mini", "0123456789abcdef", "00000000-0000-4000-8000-000000000000"],
];

/** Returns a value that a schema accepts: required fields alone, or the first one where none is required. */
export function exampleOf(schema: JsonSchema, components: NamedSchemas, name = ""): unknown {
  return build(schema, { components, name, depth: 0 });
}

interface Building {
  readonly components: NamedSchemas;
  /** The field that the value is for. */
  readonly name: string;
  readonly depth: number;
}

function build(schema: JsonSchema, at: Building): unknown {
  const { $ref } = schema;
  if ($ref === `${root}JsonObject`) return {};
  if ($ref === `${root}JsonValue`) return "text";
  if ($ref !== undefined)
    return build(at.components.get($ref.slice(root.length)) ?? {}, { ...at, depth: at.depth + 1 });
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [member] = ((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[]).filter(({ type }) => type !== "null");
  if (member) return build(member, at);
  switch (schema.type) {
    case "string":
      return textOf(schema, at.name);
    case "integer":
    case "number":
      return numberOf(schema);
    case "boolean":
      return true;
    case "array":
      return listOf(schema, at);
    case "object":
      return objectOf(schema, at);
    default:
      return null;
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: JsonSchema, name: string): string {
  if (format === "date-time") return "2026-01-31T09:30:00Z";
  if (format === "uri") return "https://example.com";
  if (format === "email") return "ada@example.com";
  const wanted = pattern === undefined ? undefined : new RegExp(pattern, "u");
  const fits = (text: string) => (wanted?.test(text) ?? true) && text.length >= minLength && text.length <= maxLength;
  return [byName[name] ?? "text", ...samples].find(fits) ?? "x".repeat(minLength);
}

function numberOf({ minimum, exclusiveMinimum, maximum = Infinity }: JsonSchema): number {
  const least = minimum ?? (typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : -Infinity);
  return Math.max(least, Math.min(1, maximum));
}

function listOf({ items, minItems = 0, prefixItems }: JsonSchema, at: Building): unknown[] {
  if (prefixItems) return prefixItems.map((part) => build(part as JsonSchema, at));
  if (typeof items !== "object" || (minItems === 0 && at.depth > 6)) return [];
  return Array.from({ length: Math.max(1, minItems) }, () =>
    build(items as JsonSchema, { ...at, depth: at.depth + 1 }),
  );
}

function objectOf(
  { properties = {}, required = [], minProperties = 0, additionalProperties }: JsonSchema,
  at: Building,
) {
  const names = required.length > 0 || at.depth > 1 ? required : Object.keys(properties).slice(0, 1);
  const fields = names.map((name) => [
    name,
    build((properties[name] ?? {}) as JsonSchema, { ...at, name, depth: at.depth + 1 }),
  ]);
  const isOpen = typeof additionalProperties === "object" && fields.length < minProperties;
  const own = isOpen ? [["name", build(additionalProperties as JsonSchema, { ...at, depth: at.depth + 1 })]] : [];
  return Object.fromEntries([...fields, ...own]);
}
