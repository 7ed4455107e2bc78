import type { KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";
import type { RecordKind, RecordKinds } from "../../../src/engine/ports/records.ts";
import type { NamePosition } from "./cursor.ts";
import { nameFieldOf, orderedCharacters } from "./links.ts";

/** Returns the place of a record in a list that is in order of names. */
export function namePlaceOf<Kind extends RecordKind>(
  kinds: KindDefinitions,
  kind: Kind,
  record: RecordKinds[Kind],
): NamePosition {
  const field = nameFieldOf(kinds, kind, "name") ?? "";
  const name = (record as Readonly<Record<string, unknown>>)[field];
  return { name: typeof name === "string" ? cut(name) : "", created_at: record.created_at, id: record.id };
}

/** Compares places by name, then creation, then id, each by code points as databases do. */
export function comparePlaces(one: NamePosition, other: NamePosition): number {
  return (
    compareCodePoints(one.name, other.name) ||
    compareCodePoints(one.created_at, other.created_at) ||
    compareCodePoints(one.id, other.id)
  );
}

function cut(name: string): string {
  return name.length <= orderedCharacters ? name : Array.from(name).slice(0, orderedCharacters).join("");
}

/** Code units in order of what they stand for: a pair of surrogates comes behind every other character. */
function compareCodePoints(one: string, other: string): number {
  if (one === other) return 0;
  const shorter = Math.min(one.length, other.length);
  let at = 0;
  while (at < shorter && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  if (at === shorter) return one.length - other.length;
  return rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
}

function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit;
}
