import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

/** Keywords whose values are data, not schemas. */
const literals: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "example"]);

/** The schema with each reference alone: one next to other keywords is their only alternative. The schema itself where that changes nothing. */
export function bareReferences(schema: Record<string, unknown>): Record<string, unknown> {
  return bare(schema) as Record<string, unknown>;
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(bare);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, child]): [string, unknown] => [
    name,
    literals.has(name) && !isRecord(child) ? child : bare(child),
  ]);
  const isSame = entries.every(([name, child]) => child === value[name]);
  const { $ref, ...others } = isSame ? value : Object.fromEntries(entries);
  if (typeof $ref !== "string" || Object.keys(others).every((name) => name.startsWith("$")))
    return isSame ? value : Object.fromEntries(entries);
  return { ...others, [others.anyOf === undefined ? "anyOf" : "allOf"]: [{ $ref }] };
}
