import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

/** What an object's schema says of its fields. */
interface Fields {
  readonly properties: Map<string, unknown[]>;
  readonly required: ReadonlySet<string>;
}

/** Schemas that are looked into at most: alternatives of references to alternatives multiply. */
const mostSchemas = 500;

/**
 * One object in place of the alternatives, parts or reference at the top of a tool's schema: with the fields of all of them, required
 * where each alternative requires them. A field that they describe differently may be either. The schema itself where its top is plain.
 */
export function plainObject(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, oneOf, allOf, $ref, enum: _values, const: _value, not: _not, ...rest } = schema;
  if ([anyOf, oneOf, allOf, $ref].every((keyword) => keyword === undefined)) return schema;
  const { properties, required } = fieldsOf(schema, { root: schema, left: mostSchemas });
  return {
    ...rest,
    type: "object",
    properties: Object.fromEntries([...properties].map(([name, schemas]) => [name, eitherOf(schemas)])),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
}

interface SchemaSearch {
  readonly root: Record<string, unknown>;
  left: number;
}

function fieldsOf(schema: unknown, search: SchemaSearch): Fields {
  const fields: { properties: Map<string, unknown[]>; required: Set<string> } = {
    properties: new Map(),
    required: new Set(),
  };
  if (!isRecord(schema) || search.left-- <= 0) return fields;
  const { properties, required, allOf, $ref } = schema;
  for (const [name, field] of Object.entries(isRecord(properties) ? properties : {})) add(fields, name, [field]);
  for (const name of Array.isArray(required) ? required : []) fields.required.add(String(name));
  const parts = [...listOf(allOf), ...(typeof $ref === "string" ? [referenced($ref, search.root)] : [])];
  for (const part of parts.map((each) => fieldsOf(each, search))) {
    for (const [name, schemas] of part.properties) add(fields, name, schemas);
    for (const name of part.required) fields.required.add(name);
  }
  for (const alternatives of [listOf(schema.anyOf), listOf(schema.oneOf)]) {
    const each = alternatives.map((alternative) => fieldsOf(alternative, search));
    for (const one of each) for (const [name, schemas] of one.properties) add(fields, name, schemas);
    const [first, ...others] = each;
    for (const name of first?.required ?? [])
      if (others.every((other) => other.required.has(name))) fields.required.add(name);
  }
  return fields;
}

function add({ properties }: Fields, name: string, schemas: readonly unknown[]): void {
  const known = properties.get(name);
  if (known === undefined) properties.set(name, [...schemas]);
  else known.push(...schemas);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A definition of the schema itself; others are unknown here. */
function referenced(reference: string, root: Record<string, unknown>): unknown {
  const [, at, name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
  const definitions = at === undefined ? undefined : root[at];
  return isRecord(definitions) ? definitions[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
}

function eitherOf(schemas: readonly unknown[]): unknown {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
}
