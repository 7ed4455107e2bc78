import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

type Property = AnswerOf<Areas["properties"]["list"]>[number];
export type PropertyType = AnswerOf<Areas["properties"]["catalogue"]>[number];

/** Where the value of a property comes from. */
export type PropertySource = "own" | "inherited" | "default";

/** A property with its value and what it takes: one that is set, or one that the gateway reads and that is unset. */
export interface PropertyRow {
  readonly property: string;
  readonly value: string;
  readonly description: string;
  readonly source: PropertySource;
  /** Undefined for one that the gateway does not read. */
  readonly type: PropertyType | undefined;
}

/** What is set and what the gateway reads, each once, in the order of their names. */
export function propertyRows(set: readonly Property[], known: readonly PropertyType[]): readonly PropertyRow[] {
  const types = new Map(known.map((type) => [type.property, type]));
  const rows = set.map(({ property, value, description, inherited }): PropertyRow => {
    return { property, value, description, source: inherited ? "inherited" : "own", type: types.get(property) };
  });
  const names = new Set(set.map(({ property }) => property));
  const others = known
    .filter(({ property }) => !names.has(property))
    .map((type): PropertyRow => {
      return { property: type.property, value: type.default ?? "", description: "", source: "default", type };
    });
  return [...rows, ...others].sort((one, other) => (one.property < other.property ? -1 : 1));
}

/** True for a text that the property takes. */
export function isValueValid(type: PropertyType | undefined, value: string): boolean {
  if (value.length > 20_000) return false;
  if (type?.type === "color") return /^#[0-9a-f]{6}$/i.test(value);
  return type?.allowed === undefined || type.allowed.includes(value);
}
