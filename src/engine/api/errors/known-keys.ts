import { z } from "zod";

/** The names that a schema knows at a path, of all its forms; none where it takes any. */
export function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): readonly string[] {
  const keys = formsOf(schema).flatMap((form) => keysOf(form, path));
  return [...new Set(keys)];
}

function keysOf(form: z.core.$ZodType, [first, ...rest]: readonly PropertyKey[]): readonly string[] {
  if (form instanceof z.ZodArray) return first === undefined ? [] : keysAt(form.element, rest);
  if (form instanceof z.ZodRecord) return first === undefined ? [] : keysAt(form.valueType, rest);
  if (!(form instanceof z.ZodObject)) return [];
  if (first === undefined) return Object.keys(form.shape);
  const next = Object.hasOwn(form.shape, first) ? form.shape[String(first)] : undefined;
  return next === undefined ? [] : keysAt(next, rest);
}

/** What a value is read by first. */
function formsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return formsOf(schema.unwrap());
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly) return formsOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return formsOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(formsOf);
  return [schema];
}
