import { z } from "zod";
import { isRecord } from "../../../engine/dialects/wire-values.ts";
import { elementOf, schemaFor } from "../../../engine/pipeline/call/schema-of-value.ts";
import { type FieldPath, warnOfRest } from "./translation-warnings.ts";

type SchemaShape = Readonly<Record<string, unknown>>;

/** Schemas whose fields are not looked into: who reads them says what of them is lost. */
type Elsewhere = ReadonlySet<unknown>;

/**
 * Names every field that a request's schema does not have and that is not empty, however deep it stands; free maps may hold anything.
 * `path` ends in a dot, or is empty.
 */
export function warnOfUnknown(
  schema: unknown,
  value: unknown,
  position: FieldPath & { readonly elsewhere?: Elsewhere },
): void {
  const { path, elsewhere } = position;
  const found = schemaFor(schema, value);
  if (found === undefined || elsewhere?.has(found)) return;
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries())
      warnOfUnknown(elementOf(found), entry, { ...position, path: `${path}${at}.` });
  } else if (isRecord(value) && found instanceof z.ZodObject) {
    warnOfRest(value, namesOf(found.shape), position);
    for (const [field, inner] of Object.entries(value)) {
      if (typeof inner === "object")
        warnOfUnknown(found.shape[field], inner, { ...position, path: `${path}${field}.` });
    }
  }
}

const names = new WeakMap<SchemaShape, ReadonlySet<string>>();

function namesOf(shape: SchemaShape): ReadonlySet<string> {
  const known = names.get(shape) ?? new Set(Object.keys(shape));
  names.set(shape, known);
  return known;
}
