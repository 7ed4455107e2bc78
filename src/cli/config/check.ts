import { z } from "zod";
import { findSimilar } from "../../runtime/did-you-mean.ts";
import { describeFault } from "../../runtime/issues/words.ts";
import { misconfigured } from "./references.ts";

/**
 * Reads a value by its schema; throws `invalid_configuration` naming the field. An unknown key is refused by name, with the known
 * one that was probably meant. Messages hold no value: it may be a secret.
 */
export function checkConfig<Schema extends z.ZodType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const inner = (issue?.path ?? []).map(String);
  if (issue?.code !== "unrecognized_keys") throw misconfigured(join(path, inner), describeFault(issue?.message));
  const [unknown = ""] = issue.keys;
  const known = keysAt(schema, inner);
  const similar = findSimilar(unknown, known);
  const others = known.length === 0 ? "" : `. Valid names: ${known.join(", ")}`;
  const hint = similar === undefined ? others : `; did you mean \`${similar}\`?`;
  throw misconfigured(join(path, [...inner, unknown]), `is not a setting${hint}`);
}

function join(path: string, inner: readonly string[]): string {
  return [...(path === "" ? [] : [path]), ...inner].join(".");
}

/** The keys that the schema knows at a path. */
function keysAt(schema: z.core.$ZodType, path: readonly string[]): string[] {
  const bare = unwrap(schema);
  if (bare instanceof z.ZodArray) return keysAt(bare.element, path.slice(1));
  if (!(bare instanceof z.ZodObject)) return [];
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(bare.shape);
  const next = bare.shape[first];
  return next === undefined ? [] : keysAt(next, rest);
}

/** What a value is read by first; of several forms the one with keys. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return unwrap(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  if (schema instanceof z.ZodUnion) return schema.options.find((form) => form instanceof z.ZodObject) ?? schema;
  return schema;
}
