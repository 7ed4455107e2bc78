/** What JSON cannot carry in a value, and where it stands. */
export interface NoJson {
  readonly path: readonly string[];
  readonly problem: string;
}

/** Deeper than any request goes: one that holds itself ends here. */
const deepest = 200;

/** Steps of a path that are reported; an object that contains itself has no end. */
const reportingIterator = 8;

/**
 * The first thing in a value that keeps it from being written as JSON: a BigInt, a Map or a Set, or an object that holds itself. Undefined
 * where there is none. What JSON leaves out (functions) and what writes itself (dates) is left alone, since a provider in this process may want it.
 * `given` is what a schema has read the value from: whatever is no plain object it takes for one without fields.
 */
export function findNoJson(value: unknown, provided: unknown = value, depth = 0): NoJson | undefined {
  if (typeof value === "bigint" && !("toJSON" in BigInt.prototype))
    return { path: [], problem: "is a BigInt, which JSON cannot carry" };
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === deepest)
    return isWritable(value) ? undefined : { path: [], problem: "is nested too deep, or holds itself" };
  if (provided !== value && isEmptied(provided)) return emptied;
  if (Array.isArray(value) || isPlain(value)) return findIn(value, provided, depth);
  return isEmptied(value) ? emptied : undefined;
}

const emptied: NoJson = { path: [], problem: "is a Map or a Set, of which JSON would carry nothing" };
const lost: NoJson = { path: [], problem: "must be a plain object: of this one nothing would be left" };

function findIn(value: object, provided: unknown, depth: number): NoJson | undefined {
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  if (names?.length === 0) return isEmptyToSchema(provided) ? lost : undefined;
  const from = typeof provided === "object" && provided !== null ? provided : value;
  const { length } = names ?? (value as readonly unknown[]);
  for (let at = 0; at < length; at++) {
    const name = names?.[at] ?? at;
    const inner: unknown = value[name as keyof typeof value];
    if (typeof inner !== "object" && typeof inner !== "bigint") continue;
    const found = findNoJson(inner, from[name as keyof typeof from], depth + 1);
    if (found) return { ...found, path: [String(name), ...found.path].slice(0, reportingIterator) };
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}

function isEmptied(value: unknown): boolean {
  return (value instanceof Map || value instanceof Set) && !("toJSON" in value);
}

/** A Map, a date, a promise: anything but an object with fields, of this realm or of another. */
export function isEmptyToSchema(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.prototype.toString.call(value) !== "[object Object]";
}

function isWritable(value: object): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
