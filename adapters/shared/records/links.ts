import { ownedNameOf } from "../../../src/ports/owned-names.ts";
import type { RecordKind, RecordKinds } from "../../../src/ports/records.ts";
import { type ListOrder, recordLinks, recordNames, recordTexts } from "../../../src/ports/records.ts";

/** A field of a record that it can be found by, its value, and the kind that it names if it names another record. */
export interface Link {
  readonly field: string;
  readonly value: string;
  readonly names: RecordKind | undefined;
}

/** The links of a record, those without a value left out. */
export function listLinks<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): readonly Link[] {
  const fields: Readonly<Record<string, RecordKind | undefined>> = recordLinks[kind];
  const values = fieldsOf(kind, record);
  return Object.entries(fields).flatMap(([field, names]) => {
    const value = values[field];
    return typeof value === "string" ? [{ field, value, names }] : [];
  });
}

/** The fields of a record, and its name with its owner; those of the engine have the levels of tenants in `metadata`. */
function fieldsOf<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): Readonly<Record<string, unknown>> {
  const owned_name = ownedNameOf(kind, record);
  if (!("metadata" in record)) return { ...record, owned_name };
  const { reseller, client_id } = record.metadata as Readonly<Record<string, unknown>>;
  return { ...record, reseller, client_id, owned_name };
}

/** The texts that a record is searched by, in lower case and one line each; undefined for a kind that is not searched. */
export function searchTextOf<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): string | undefined {
  const fields = (recordTexts as Readonly<Partial<Record<RecordKind, readonly string[]>>>)[kind];
  const values = fields && fieldsOf(kind, record);
  const texts = fields?.map((field) => values?.[field]).filter((text) => typeof text === "string");
  return texts?.join("\n").toLowerCase();
}

/** The link of the name of a record that an older version wrote; undefined where it has none, or cannot be read. */
export function linkName(kind: RecordKind, body: string) {
  try {
    const record = JSON.parse(body) as RecordKinds[RecordKind];
    const value = ownedNameOf(kind, record);
    return value === undefined ? undefined : { id: record.id, created_at: record.created_at, value };
  } catch {
    return undefined;
  }
}

/** Characters of a name that an order by name looks at. */
export const orderedCharacters = 200;

/** The field with the name that a list is in order of; undefined for a list in order of creation. */
export function nameFieldOf(kind: RecordKind, order: ListOrder | undefined): string | undefined {
  if (order !== "name" && order !== "name_reversed") return undefined;
  return (recordNames as Readonly<Partial<Record<RecordKind, string>>>)[kind];
}

/** A kind and a field of it that names another kind. */
export interface Reference {
  readonly kind: RecordKind;
  readonly field: string;
}

/** Which fields of which kinds name records of this kind. */
export function listReferences(named: RecordKind): readonly Reference[] {
  return (Object.keys(recordLinks) as RecordKind[]).flatMap((kind) => {
    const fields: Readonly<Record<string, RecordKind | undefined>> = recordLinks[kind];
    return Object.entries(fields).flatMap(([field, names]) => (names === named ? [{ kind, field }] : []));
  });
}

/** The fields of a question and their values. */
export function readWhere(where: object | undefined): readonly (readonly [field: string, value: string])[] {
  return Object.entries(where ?? {}).filter(([, value]) => value !== undefined);
}

/** The hash of a record that has one. */
export function hashOf(record: object): string | undefined {
  return "hash" in record && typeof record.hash === "string" ? record.hash : undefined;
}
