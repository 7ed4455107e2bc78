import type { ListQuestion, RecordKind, RecordKinds, Records, Stored, Where } from "../ports/records.ts";
import { recordLinks } from "../ports/records.ts";
import { overtaken, untilWritten } from "../ports/until-written.ts";
import { notFound } from "./shelf.ts";

/** A place in the tree of tenants, provider ⊃ reseller ⊃ client ⊃ user. Levels below the place are absent; the provider's is empty. */
export interface Place {
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
  readonly user_id?: string | undefined;
}

/** What a record says of where it lies. */
export interface Placed {
  readonly reseller?: string | null | undefined;
  readonly client_id?: string | null | undefined;
  readonly user_id?: string | null | undefined;
}

const levels = ["reseller", "client_id", "user_id"] as const;

/** True for what lies at the place or below it. */
export function covers(place: Place, placed: Placed): boolean {
  return levels.every((level) => place[level] === undefined || placed[level] === place[level]);
}

/** True for what lies at a level above the place: that is what the place inherits. */
export function isAbove(placed: Placed, place: Place): boolean {
  return (
    !covers(place, placed) &&
    levels.every((level) => (placed[level] ?? undefined) === undefined || placed[level] === place[level])
  );
}

/**
 * Where a record lies. Customers, projects and keys of the engine say it in their `metadata`, and a key's user is its `user`; one that
 * says nothing belongs to the provider.
 */
export function placeOf<Kind extends RecordKind>(kind: Kind, record: RecordKinds[Kind]): Placed {
  if (!("metadata" in record)) return record as Placed;
  const { reseller, client_id } = record.metadata as Placed;
  const user_id = kind === "key" && "user" in record ? record.user : undefined;
  return { reseller, client_id, user_id };
}

/**
 * The records that a place may see and change: what lies at the place or below it. A foreign record is not there: `get` gives
 * undefined, `list` leaves it out, `remove` says `missing`; to `put` a record outside the place, or over a foreign one, throws `not_found`.
 * A field may name a record of the place, below it or above it.
 */
export function scopedRecords(records: Records, place: Place): Records {
  if (levels.every((level) => place[level] === undefined)) return records;
  const see = <Kind extends RecordKind>(kind: Kind, stored: Stored<Kind> | undefined): Stored<Kind> | undefined =>
    stored && covers(place, placeOf(kind, stored.record)) ? stored : undefined;
  const list = <Kind extends RecordKind>(kind: Kind, question: ListQuestion<Kind>) =>
    listCovered(records, place, { kind, question });
  return {
    list,
    stamp: (kinds) => records.stamp(kinds),
    get: async (kind, id) => see(kind, await records.get(kind, id)),
    findByHash: async (kind, hash) => see(kind, await records.findByHash(kind, hash)),
    async put(kind, record, expected) {
      const present = await records.get(kind, record.id);
      if (!covers(place, placeOf(kind, record)) || (present && !see(kind, present))) throw notFound(kind, record.id);
      const field = await findForeignLink(records, place, { kind, record });
      return field === undefined ? records.put(kind, record, expected) : { kind: "dangling", field };
    },
    async count(kind, where) {
      let count = 0;
      for (let after: string | undefined; ; ) {
        const page = await list(kind, { where, limit: 1_000, after });
        count += page.records.length;
        if (page.next === undefined) return count;
        after = page.next;
      }
    },
    remove: (kind, id, expected) =>
      untilWritten(async () => {
        const stored = see(kind, await records.get(kind, id));
        if (!stored) return { kind: "missing" };
        const outcome = await records.remove(kind, id, expected ?? stored.version);
        return outcome.kind === "moved" && expected === undefined ? overtaken : outcome;
      }),
  };
}

/** The records above a place, which it inherits and cannot change, from the provider's down; in order of creation within a level. */
export async function listAbove<Kind extends RecordKind>(
  records: Records,
  place: Place,
  { kind, where }: { readonly kind: Kind; readonly where?: Where<Kind> | undefined },
): Promise<RecordKinds[Kind][]> {
  const found: RecordKinds[Kind][] = [];
  for (let after: string | undefined; ; ) {
    const page = await records.list(kind, { where, limit: 1_000, after });
    found.push(...page.records.map(({ record }) => record).filter((record) => isAbove(placeOf(kind, record), place)));
    if (page.next === undefined) break;
    after = page.next;
  }
  return found.sort((one, other) => depthOf(placeOf(kind, one)) - depthOf(placeOf(kind, other)));
}

/** How far below the provider something lies. */
export function depthOf(placed: Placed): number {
  return levels.filter((level) => (placed[level] ?? undefined) !== undefined).length;
}

interface Listing<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly question: ListQuestion<Kind>;
}

/** One page of what a place covers; it may be the last and still have a `next`, with nothing behind it. */
async function listCovered<Kind extends RecordKind>(records: Records, place: Place, { kind, question }: Listing<Kind>) {
  const { limit, where = narrow(kind, place) } = question;
  const found: Stored<Kind>[] = [];
  for (let { after } = question; ; ) {
    const page = await records.list(kind, { where, limit: limit - found.length, after });
    found.push(...page.records.filter(({ record }) => covers(place, placeOf(kind, record))));
    if (page.next === undefined) return { records: found };
    if (found.length === limit) return { records: found, next: page.next };
    after = page.next;
  }
}

/** The narrowest field of the place that records of the kind are found by. */
function narrow<Kind extends RecordKind>(kind: Kind, place: Place): Where<Kind> | undefined {
  const level = levels.findLast((name) => place[name] !== undefined && name in recordLinks[kind]);
  return level && ({ [level]: place[level] } as Where<Kind>); // the field is one of the kind's links
}

interface Linked<Kind extends RecordKind> {
  readonly kind: Kind;
  readonly record: RecordKinds[Kind];
}

/** The first field that names a record which the place neither covers nor inherits: to the place it is not there. */
async function findForeignLink<Kind extends RecordKind>(
  records: Records,
  place: Place,
  { kind, record }: Linked<Kind>,
) {
  const links: Readonly<Record<string, RecordKind | undefined>> = recordLinks[kind];
  for (const [field, names] of Object.entries(links)) {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[field]; // the fields of the table are texts
    if (names === undefined || typeof value !== "string") continue;
    const named = await records.get(names, value);
    if (!named) continue; // the store says so itself
    const placed = placeOf(names, named.record);
    if (!covers(place, placed) && !isAbove(placed, place)) return field;
  }
  return undefined;
}
