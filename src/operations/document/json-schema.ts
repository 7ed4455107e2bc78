import { z } from "zod";

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schemas as parts of a document. */
export interface SchemaComponents {
  /** The named schemas; every `$ref` inside points back to this list. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** A reference for a named schema, the schema itself for one without a name. */
  read(schema: z.ZodType): JsonSchema;
}

/** The schemas that say what a stand-in holds. */
const described = new WeakMap<z.core.$ZodType, z.ZodType>();

/** A schema that accepts anything and is described as another: for what was checked when it was stored. */
export function describedAs<Value>(schema: z.ZodType<Value>): z.ZodType<Value, Value> {
  const standIn = z.unknown().meta({}) as unknown as z.ZodType<Value, Value>; // seam: only what the schema has accepted comes here
  described.set(standIn, schema);
  return standIn;
}

/** Simpler forms of schemas, for documents; undefined for a field that is not documented. */
const simpler = new WeakMap<z.core.$ZodType, z.ZodType | undefined>();

/**
 * Documents a schema as a simpler one: what is accepted beyond that is for callers who know it, since generators of clients make little of
 * a union. Without one, the field is left out.
 */
export function documentedAs<Schema extends z.ZodType>(schema: Schema, simple?: z.ZodType): Schema {
  simpler.set(schema, simple);
  return schema;
}

const root = "#/components/schemas/";
/** Marks the schemas that stay in place; no exported name begins like this. */
const inPlace = "in place ";

/**
 * Writes zod schemas as JSON Schema: those in `named` become components that all others refer to, those in `used` are readable
 * through {@link SchemaComponents.read}. Throws for a request that JSON cannot express; a schema of
 * requests alone may be unreadable as an answer. `io` says whether they are what a caller sends or
 * what is answered, where fields with a default are always present.
 */
export function writeSchemas(
  named: Readonly<Record<string, unknown>>,
  used: Iterable<z.ZodType>,
  io: "input" | "output" = "input",
): SchemaComponents {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) {
    if (schema instanceof z.ZodType && !registry.has(schema)) registry.add(schema, { id });
  }
  const override = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => {
    dropNoise({ jsonSchema });
    if (io === "output" && zodSchema._zod.def.type === "object" && !zodSchema._zod.def.catchall)
      delete jsonSchema.additionalProperties;
    if (simpler.has(zodSchema)) simplify(jsonSchema, simpler.get(zodSchema), io);
    const id = registry.get(described.get(zodSchema) ?? z.never())?.id;
    if (id !== undefined) jsonSchema.$ref = root + id;
  };
  let count = 0;
  for (const schema of used) {
    if (!registry.has(schema)) registry.add(schema, { id: `${inPlace}${count++}` });
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => root + id,
    io,
    override,
    unrepresentable: io === "input" ? "throw" : "any",
  });
  const heads = new Map(Object.entries(schemas).map(([id, schema]) => [id, withoutHead(schema)]));
  const written = new Map([...heads].map(([id, schema]) => [id, insertAt(schema, heads) as JsonSchema]));
  return {
    components: Object.fromEntries([...written].filter(([id]) => !id.startsWith(inPlace))),
    read(schema) {
      const id = registry.get(schema)?.id ?? "";
      return id.startsWith(inPlace) ? (written.get(id) ?? {}) : { $ref: root + id };
    },
  };
}

function simplify(jsonSchema: JsonSchema, simple: z.ZodType | undefined, io: "input" | "output"): void {
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, simple ? withoutHead(z.toJSONSchema(simple, { io })) : { "x-left-out": true });
}

/** The components that `part` refers to, directly or through others. */
export function referredBy(part: unknown, components: SchemaComponents["components"]): Record<string, JsonSchema> {
  const reached = new Map<string, JsonSchema>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("$ref" in value && typeof value.$ref === "string") reach(value.$ref.slice(root.length));
    for (const child of Object.values(value)) walk(child);
  };
  const reach = (id: string) => {
    const schema = components[id];
    if (!schema || reached.has(id)) return;
    reached.set(id, schema);
    walk(schema);
  };
  walk(part);
  return Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Inlines a schema without a name where others refer to it: one that a row uses directly and that is also part of others. */
function insertAt(value: unknown, schemas: ReadonlyMap<string, JsonSchema>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => insertAt(part, schemas));
  if ("$ref" in value && typeof value.$ref === "string" && value.$ref.startsWith(root + inPlace)) {
    return insertAt(schemas.get(value.$ref.slice(root.length)) ?? {}, schemas);
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, insertAt(part, schemas)]));
}

/** Integers are safe integers and instants have one form everywhere: repeating it at each of them adds nothing. */
function dropNoise({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function withoutHead({ $schema: _dialect, $id: _uri, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
