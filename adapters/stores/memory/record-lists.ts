import type { KindDefinitions } from "../../../src/engine/ports/record-kinds.ts";
import type { ListQuestion, RecordKind, RecordPage, Stored } from "../../../src/engine/ports/records.ts";
import { type CursorPosition, readCursor, readNameCursor, writeCursor } from "../../shared/records/cursor.ts";
import { nameFieldOf, readWhere } from "../../shared/records/links.ts";
import { comparePlaces, namePlaceOf } from "../../shared/records/name-order.ts";
import type { SortedIndex } from "./sorted-index.ts";

/** Everything of one kind. */
export interface RecordsOfKind {
  /** The kinds that the store knows. */
  readonly kinds: KindDefinitions;
  readonly byId: Map<string, Stored<RecordKind>>;
  readonly byHash: Map<string, Stored<RecordKind>>;
  readonly all: SortedIndex;
  /** What records are searched by, by id. */
  readonly texts: Map<string, string>;
  /** By field and value. */
  readonly byLink: Map<string, SortedIndex>;
}

/** Returns one page of a list. */
export function listMemory<Kind extends RecordKind>(
  state: RecordsOfKind,
  kind: Kind,
  question: ListQuestion<Kind>,
): RecordPage<Kind> {
  const { limit, after, order } = question;
  if (nameFieldOf(state.kinds, kind, order) !== undefined) return listByName(state, kind, question);
  const behind = after === undefined ? undefined : readCursor(after);
  const records: Stored<Kind>[] = [];
  for (const stored of walkMatches(state, question, behind)) {
    const last = records.at(-1);
    if (last && records.length === limit) return { records, next: writeCursor(last.record) };
    records.push(stored);
  }
  return { records };
}

/** The records of a question in order of creation, those behind a place if one is given. */
function* walkMatches<Kind extends RecordKind>(
  state: RecordsOfKind,
  { where, order, search, from = "", until }: Omit<ListQuestion<Kind>, "limit" | "after">,
  behind: CursorPosition | undefined,
): Generator<Stored<Kind>> {
  const [smallest, ...others] = indexesOf(state, readWhere(where)) ?? [];
  const wanted = search?.toLowerCase();
  for (const entry of smallest?.walk(behind, order === "newest") ?? []) {
    if (entry.created_at < from || (until !== undefined && entry.created_at >= until)) continue;
    if (!others.every((index) => index.has(entry))) continue;
    if (wanted !== undefined && !state.texts.get(entry.id)?.includes(wanted)) continue;
    yield state.byId.get(entry.id) as Stored<Kind>;
  }
}

/** All records of a question are sorted for each page: this store has no index of names. */
function listByName<Kind extends RecordKind>(
  state: RecordsOfKind,
  kind: Kind,
  question: ListQuestion<Kind>,
): RecordPage<Kind> {
  const { limit, after, order } = question;
  const behind = after === undefined ? undefined : readNameCursor(after);
  const sign = order === "name_reversed" ? -1 : 1;
  const found = [...walkMatches(state, question, undefined)]
    .map((stored) => ({ stored, place: namePlaceOf(state.kinds, kind, stored.record) }))
    .filter(({ place }) => behind === undefined || sign * comparePlaces(place, behind) > 0)
    .sort((one, other) => sign * comparePlaces(one.place, other.place));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const records = page.map(({ stored }) => stored);
  return found.length > limit && last ? { records, next: writeCursor(last.place, last.place.name) } : { records };
}

/** Returns the number of records that have the values. */
export function countRecords(state: RecordsOfKind, where: ReturnType<typeof readWhere>): number {
  const [smallest, ...others] = indexesOf(state, where) ?? [];
  if (!smallest || others.length === 0) return smallest?.size ?? 0;
  return [...smallest.walk(undefined)].filter((entry) => others.every((index) => index.has(entry))).length;
}

/** The indexes of fields and their values, the smallest first; all records without a field, undefined where a value has none. */
function indexesOf(state: RecordsOfKind, where: ReturnType<typeof readWhere>): readonly SortedIndex[] | undefined {
  if (where.length === 0) return [state.all];
  const indexes = where.flatMap((link) => state.byLink.get(nameLink(...link)) ?? []);
  return indexes.length < where.length ? undefined : indexes.sort((one, other) => one.size - other.size);
}

/** The name of the index of a field and a value. */
export function nameLink(field: string, value: string): string {
  return JSON.stringify([field, value]);
}
