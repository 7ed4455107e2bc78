import { isDeepStrictEqual } from "node:util";

/** One setting of two configurations that is not the same in both. */
export interface SettingChange {
  readonly kind: "added" | "removed" | "changed";
  /** Its path, e.g. `providers.openai.apiKey`; a list is one setting. */
  readonly path: string;
}

const signs = { added: "+", removed: "-", changed: "~" } as const;

/** Changes that are named; the rest is counted. */
const mostNamed = 20;

/** What differs between two configurations, by path and in the order of the names. */
export function findChanges(before: unknown, after: unknown, path = ""): readonly SettingChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ kind: "added", path }];
  if (after === undefined) return [{ kind: "removed", path }];
  if (!isSection(before) || !isSection(after)) return [{ kind: "changed", path }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => findChanges(before[name], after[name], path === "" ? name : `${path}.${name}`));
}

/** The changes in one line, without values: those may be secrets. */
export function describeChanges(changes: readonly SettingChange[]): string {
  if (changes.length === 0) return "no setting changed";
  const named = changes.slice(0, mostNamed).map(({ kind, path }) => `${signs[kind]}${path}`);
  const rest = changes.length - named.length;
  return `${named.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** A plain object, as a section of a file is; objects of a class are values. */
function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
