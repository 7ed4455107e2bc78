import { z } from "zod";

/** The schema of a list or an object without what is around it; of several the one that is the value's. */
export function schemaFor(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schemaFor(schema.unwrap(), value);
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option: unknown) =>
    Array.isArray(value) ? option instanceof z.ZodArray : isOf(option, value),
  );
}

/** The schema of a list's entries. */
export function elementOf(schema: unknown): unknown {
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

/** True for the schema of an object with the value's `type` and `role`, as far as the schema fixes them. */
function isOf(option: unknown, value: unknown): boolean {
  if (!(option instanceof z.ZodObject) || typeof value !== "object" || value === null) return false;
  const { shape } = option;
  const fields = value as Readonly<Record<string, unknown>>;
  return ["type", "role"].every((field) => !isLiteral(shape[field]) || shape[field].safeParse(fields[field]).success);
}

function isLiteral(schema: unknown): schema is z.ZodType {
  return schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum;
}
