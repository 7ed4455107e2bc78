/** Deeper than any request is; what holds itself ends here. */
const deepest = 256;

/**
 * A value as text that is the same for the same value, whatever order its fields came in, and another one for every other value: JSON
 * with sorted keys, but that texts stand as they are behind their length (`5:hello`), which says where they end and spares the escapes.
 * Only one with half a character in it, which UTF-8 would lose, is written with escapes. `undefined` for what JSON cannot hold (a
 * function, a date, a number that is not finite, an object that holds itself), which then has no fingerprint. Fields that are
 * `undefined` are not there.
 */
export function canonicalText(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return lengthened(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value === 0 ? 0 : value) : undefined;
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || depth > deepest) return undefined;
  return Array.isArray(value) ? canonicalList(value, depth + 1) : canonicalFields(value, depth + 1);
}

function lengthened(text: string): string {
  return text.isWellFormed() ? `${text.length}:${text}` : JSON.stringify(text);
}

function canonicalList(items: readonly unknown[], depth: number): string | undefined {
  let text = "[";
  for (let position = 0; position < items.length; position++) {
    const item = canonicalText(items[position], depth);
    if (item === undefined) return undefined;
    text += position === 0 ? item : `,${item}`;
  }
  return `${text}]`;
}

function canonicalFields(value: object, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  let text = "";
  for (const name of sortedNames(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    const provided = canonicalText(field, depth);
    if (provided === undefined) return undefined;
    text += `${text === "" ? "{" : ","}${lengthened(name)}=${provided}`;
  }
  return text === "" ? "{}" : `${text}}`;
}

/** By code units, which no locale changes. Most objects have few fields, and those in order already. */
function sortedNames(fields: object): readonly string[] {
  const names = Object.keys(fields);
  for (let position = 1; position < names.length; position++) {
    if ((names[position - 1] as string) > (names[position] as string)) return names.sort();
  }
  return names;
}
