import { z } from "zod";
import { isRecord } from "../../dialects/wire-values.ts";
import { elementOf, schemaFor } from "./schema-of-value.ts";

/**
 * A value without the nulls of fields that its schema has as optional, at whatever depth: clients write one for each field that they do
 * not set. Fields that take null keep it, and so do free maps and unknown fields, such as the `default` of a tool's schema. The value
 * itself is never changed, and is returned where it holds no such null.
 */
export function withoutAbsentNulls(schema: unknown, value: unknown): unknown {
  const known = schemaFor(schema, value);
  if (Array.isArray(value)) return ofList(elementOf(known), value);
  return known instanceof z.ZodObject && isRecord(value) ? ofObject(known.shape, value) : value;
}

function ofList(element: unknown, list: readonly unknown[]): readonly unknown[] {
  const reduced = list.map((entry) => withoutAbsentNulls(element, entry));
  return reduced.some((entry, at) => entry !== list[at]) ? reduced : list;
}

function ofObject(shape: Readonly<Record<string, unknown>>, value: Readonly<Record<string, unknown>>): unknown {
  let isChanged = false;
  const reduced: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, field) ? shape[field] : undefined;
    const stays = inner !== null || !isAbsentAsNull(schema);
    const read = typeof inner === "object" && inner !== null ? withoutAbsentNulls(schema, inner) : inner;
    if (stays) reduced[field] = read;
    isChanged ||= !stays || read !== inner;
  }
  return isChanged ? reduced : value;
}

/** True for a field that may be left out and does not take null. */
function isAbsentAsNull(schema: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(undefined).success && !schema.safeParse(null).success;
}
