import { z } from "zod";
import { isRecord } from "./arguments.ts";
import { type Place, warnOfRest } from "./notes.ts";

type Shape = Readonly<Record<string, unknown>>;

/** Schemas whose fields are not looked into: who reads them says what of them is lost. */
type Elsewhere = ReadonlySet<unknown>;

/**
 * Names every field that a request's schema does not have and that is not empty, however deep it stands; free maps may hold anything.
 * `path` of the place ends in a dot, or is empty.
 */
export function warnOfUnknown(
  schema: unknown,
  value: unknown,
  place: Place & { readonly elsewhere?: Elsewhere },
): void {
  const { path, elsewhere } = place;
  const found = schemaFor(schema, value);
  if (found === undefined || elsewhere?.has(found)) return;
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries())
      warnOfUnknown(elementOf(found), entry, { ...place, path: `${path}${at}.` });
  } else if (isRecord(value) && found instanceof z.ZodObject) {
    warnOfRest(value, namesOf(found.shape), place);
    for (const [field, inner] of Object.entries(value)) {
      if (typeof inner === "object") warnOfUnknown(found.shape[field], inner, { ...place, path: `${path}${field}.` });
    }
  }
}

function elementOf(schema: unknown): unknown {
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

/** The schema of a list or an object without what is around it; of several the one that is the value's. */
function schemaFor(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return schemaFor(schema.unwrap(), value);
  if (!(schema instanceof z.ZodUnion)) return schema;
  return schema.options.find((option: unknown) =>
    Array.isArray(value) ? option instanceof z.ZodArray : isOf(option, value),
  );
}

/** True for the object's schema that has the value's `type` or `role`, whichever it is told apart by. */
function isOf(option: unknown, value: unknown): boolean {
  if (!(option instanceof z.ZodObject) || !isRecord(value)) return false;
  const { shape } = option;
  return ["type", "role"].every((field) => !isLiteral(shape[field]) || shape[field].safeParse(value[field]).success);
}

function isLiteral(schema: unknown): schema is z.ZodType {
  return schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum;
}

const names = new WeakMap<Shape, ReadonlySet<string>>();

function namesOf(shape: Shape): ReadonlySet<string> {
  const known = names.get(shape) ?? new Set(Object.keys(shape));
  names.set(shape, known);
  return known;
}
