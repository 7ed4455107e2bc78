import { isRecord } from "../../../engine/dialects/wire-values.ts";

/**
 * A response format for a JSON schema. It is strict where every object in the schema is closed and requires all of its properties:
 * vendors that enforce schemas refuse others, which are therefore sent as not strict.
 */
export function schemaFormat(schema: Record<string, unknown>) {
  const strict = isStrict(schema) ? { strict: true } : {};
  return { type: "json_schema" as const, json_schema: { name: "answer", schema, ...strict } };
}

function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  return !isRecord(schema) || (isClosed(schema) && Object.values(schema).every(isStrict));
}

function isClosed({ type, properties, required, additionalProperties }: Record<string, unknown>): boolean {
  if (type !== "object" && !isRecord(properties)) return true;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return additionalProperties === false && names.every((name) => Array.isArray(required) && required.includes(name));
}
