import { z } from "zod";
import type { Operation } from "./define.ts";

/** Values of a query string by name, as they were decoded. */
export type QueryFields = Readonly<Record<string, string | readonly string[]>>;

/**
 * Returns the fields of a query with the types of the row's schema: `true` for a flag, digits for a number, a repeated or comma-separated
 * list, JSON for an object. A value of another form stays text, so that the schema reports what is wrong with it.
 */
export function coerceQuery({ input, query: more }: Operation, query: QueryFields): Record<string, unknown> {
  const shape = { ...shapeOf(more), ...shapeOf(input) };
  const fields = Object.entries(query).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, schema ? coerce(schema, value) : value] as const;
  });
  return Object.fromEntries(fields);
}

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function coerce(schema: z.ZodType, value: string | readonly string[]): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return coerceList(inner, value);
  if (typeof value !== "string") return value;
  if (inner instanceof z.ZodBoolean) return value === "true" ? true : value === "false" ? false : value;
  if (inner instanceof z.ZodNumber) return /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (inner instanceof z.ZodRecord || inner instanceof z.ZodObject) return parseJson(value, "{");
  if (inner instanceof z.ZodUnion) return coerceChoice(inner, value);
  return value;
}

function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? unwrap(schema.unwrap() as z.ZodType) : schema; // seam: zod types the inside as its own core
}

function coerceList({ element }: z.ZodArray, value: string | readonly string[]): unknown {
  if (typeof value === "string" && value.startsWith("[")) return parseJson(value, "[");
  const items = typeof value === "string" ? (value === "" ? [] : value.split(",")) : value;
  return items.map((item) => coerce(element as z.ZodType, item));
}

/** Returns the value as the first choice that accepts it, as text or as its own type. */
function coerceChoice({ options }: z.ZodUnion, value: string): unknown {
  for (const option of options as readonly z.ZodType[]) {
    const candidate = coerce(option, value);
    if (option.safeParse(candidate).success) return candidate;
  }
  return value;
}

function parseJson(text: string, opening: string): unknown {
  if (!text.startsWith(opening)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
