/** What JSON cannot carry in a value, and where it stands. */
export interface NoJson {
  readonly path: readonly string[];
  readonly problem: string;
}

/** Deeper than any request goes: one that holds itself ends here. */
const deepest = 200;

/** Steps of a path that are told; an object that holds itself has no end. */
const tellingSteps = 8;

/**
 * The first thing in a value that keeps it from being written as JSON: a BigInt, a Map or a Set, or an object that holds itself. Undefined
 * where there is none. What JSON leaves out (functions) and what writes itself (dates) is left alone, since a provider in this process may want it.
 */
export function findNoJson(value: unknown, depth = 0): NoJson | undefined {
  if (typeof value === "bigint" && !("toJSON" in BigInt.prototype))
    return { path: [], problem: "is a BigInt, which JSON cannot carry" };
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === deepest)
    return isWritable(value) ? undefined : { path: [], problem: "is nested too deep, or holds itself" };
  if (Array.isArray(value)) return findIn(value.keys(), value, depth);
  if (isPlain(value)) return findIn(Object.keys(value), value, depth);
  return isEmptied(value) ? { path: [], problem: "is a Map or a Set, of which JSON would carry nothing" } : undefined;
}

function findIn(names: Iterable<string | number>, value: object, depth: number): NoJson | undefined {
  for (const name of names) {
    const found = findNoJson(value[name as keyof typeof value], depth + 1);
    if (found) return { ...found, path: [String(name), ...found.path].slice(0, tellingSteps) };
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
}

function isEmptied(value: object): boolean {
  return (value instanceof Map || value instanceof Set) && !("toJSON" in value);
}

function isWritable(value: object): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
