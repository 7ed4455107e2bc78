import { isRecord } from "../../../engine/dialects/wire-values.ts";

/** Fields whose value belongs to the caller: what is inside is not named by the vendor. */
const opaque: ReadonlySet<string> = new Set([
  "args",
  "response",
  "labels",
  "parameters",
  "parametersJsonSchema",
  "responseSchema",
  "responseJsonSchema",
]);

/** Deeper than the vendor's own fields ever stand. */
const deepest = 8;

/** A body with the vendor's field names in camelCase; its interface takes them in snake_case as well. */
export function toCamelCase(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value;
  if (Array.isArray(value)) return value.map((entry) => toCamelCase(entry, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const camel = camelName(name);
      return [camel, opaque.has(camel) ? inner : toCamelCase(inner, depth + 1)];
    }),
  );
}

function camelName(name: string): string {
  return name.includes("_") ? name.replace(/_([a-z])/g, (_match, character: string) => character.toUpperCase()) : name;
}
