import type { z } from "zod";
import { keysAt } from "../../engine/api/errors/known-keys.ts";
import { suggest } from "../../engine/runtime/did-you-mean.ts";
import { describeFault } from "../../engine/runtime/issues/words.ts";
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
  const others = known.length === 0 ? "" : `. Valid names: ${known.join(", ")}`;
  const hint = suggest(unknown, known) || others;
  throw misconfigured(join(path, [...inner, unknown]), `is not a setting${hint}`);
}

function join(path: string, inner: readonly string[]): string {
  return [...(path === "" ? [] : [path]), ...inner].join(".");
}
