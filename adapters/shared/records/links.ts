import { ownedNameOf } from "../../../src/engine/ports/owned-names.ts";
import type { KindDefinition, KindDefinitions, RecordKind } from "../../../src/engine/ports/record-kinds.ts";
import type { ListOrder } from "../../../src/engine/ports/records.ts";

/** A field of a record that it can be found by, its value, and the kind that it names if it names another record. */
export interface Link {
  readonly field: string;
  readonly value: string;
  readonly names: RecordKind | undefined;
}

/** The definition of a kind that is written. Throws for one that no layer has defined: its records would be found by nothing. */
function definitionOf(kinds: KindDefinitions, kind: RecordKind): KindDefinition {
  const definition = kinds[kind];
  if (!definition) throw new Error(`The store knows no records of the kind ${kind}: \`Records.define\` comes first.`);
  return definition;
}

/** The links of a record, those without a value left out. Throws for an unknown kind. */
export function listLinks(kinds: KindDefinitions, kind: RecordKind, record: object): readonly Link[] {
  const { links } = definitionOf(kinds, kind);
  const values = fieldsOf(record, ownedNameOf(kinds, kind, record));
  return Object.entries(links).flatMap(([field, names]) => {
    const value = values[field];
    return typeof value === "string" ? [{ field, value, names }] : [];
  });
}

/** The fields of a record, and its name with its owner; those of the engine have the levels of tenants in `metadata`. */
function fieldsOf(record: object, owned_name: string | undefined): Readonly<Record<string, unknown>> {
  if (!("metadata" in record)) return { ...record, owned_name };
  const { reseller, client_id } = record.metadata as Readonly<Record<string, unknown>>;
  return { ...record, reseller, client_id, owned_name };
}

/** The texts that a record is searched by, in lower case and one line each; undefined for a kind that is not searched. */
export function searchTextOf(kinds: KindDefinitions, kind: RecordKind, record: object): string | undefined {
  const fields = kinds[kind]?.texts;
  const values = fields && fieldsOf(record, undefined);
  const texts = fields?.map((field) => values?.[field]).filter((text) => typeof text === "string");
  return texts?.join("\n").toLowerCase();
}

/** Characters of a name that an order by name looks at. */
export const orderedCharacters = 200;

/** The field with the name that a list is in order of; undefined for a list in order of creation. */
export function nameFieldOf(
  kinds: KindDefinitions,
  kind: RecordKind,
  order: ListOrder | undefined,
): string | undefined {
  return order === "name" || order === "name_reversed" ? kinds[kind]?.name : undefined;
}

/** A kind and a field of it that names another kind. */
export interface Reference {
  readonly kind: RecordKind;
  readonly field: string;
}

/** Which fields of which kinds name records of this kind. */
export function listReferences(kinds: KindDefinitions, named: RecordKind): readonly Reference[] {
  return Object.entries(kinds).flatMap(([kind, { links }]) =>
    Object.entries(links).flatMap(([field, names]) => (names === named ? [{ kind: kind as RecordKind, field }] : [])),
  );
}

/** The fields of a question and their values. */
export function readWhere(where: object | undefined): readonly (readonly [field: string, value: string])[] {
  return Object.entries(where ?? {}).filter(([, value]) => value !== undefined);
}

/** The hash of a record that has one. */
export function hashOf(record: object): string | undefined {
  return "hash" in record && typeof record.hash === "string" ? record.hash : undefined;
}
