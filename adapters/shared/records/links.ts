import type { RecordKind, RecordKinds } from "../../../src/ports/records.ts";
import { recordLinks } from "../../../src/ports/records.ts";

/** A field of a record that it can be found by, its value, and the kind that it names if it names another record. */
export interface Link {
  readonly field: string;
  readonly value: string;
  readonly names: RecordKind | undefined;
}

/** The links of a record, those without a value left out. */
export function listLinks<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): readonly Link[] {
  const fields: Readonly<Record<string, RecordKind | undefined>> = recordLinks[kind];
  return Object.entries(fields).flatMap(([field, names]) => {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[field]; // the fields of the table are texts
    return typeof value === "string" ? [{ field, value, names }] : [];
  });
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

/** The one field of a question, if there is one, and its value. */
export function readWhere(where: object | undefined): readonly [field: string, value: string] | undefined {
  return Object.entries(where ?? {}).find(([, value]) => value !== undefined);
}

/** The hash of a record that has one. */
export function hashOf(record: object): string | undefined {
  return "hash" in record && typeof record.hash === "string" ? record.hash : undefined;
}
