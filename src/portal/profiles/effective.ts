import type { ProfileType, StoredProfile } from "../../api/portal/profiles.ts";

/** Profiles by id: those that are asked about, and all that they lead to. */
export type ProfileBook = ReadonlyMap<string, StoredProfile>;

/** What a profile holds: names, and for quotas how much. */
export type Holding = ReadonlyMap<string, number | undefined>;

/** The names that there are of a kind of thing; `*` stands for them all. */
export type Universe = Iterable<string>;

/** Stands for all permissions, or all dashboards. */
export const everyName = "*";

/**
 * What a profile holds of its own kind: its own ∪ what its inheritable parents hold − what it disables (portal-resolved.md, section 6).
 * Of a quota that several parents give, the largest counts; its own limit wins over theirs. A profile that leads back to itself,
 * which no change can make, adds nothing the second time.
 */
export function holdingOf(book: ProfileBook, id: string, universe: Universe = []): Holding {
  return walk(id, { book, universe, known: new Map() }, new Set());
}

interface Walk {
  readonly book: ProfileBook;
  readonly universe: Universe;
  readonly known: Map<string, Holding>;
}

function walk(id: string, walked: Walk, path: Set<string>): Holding {
  const known = walked.known.get(id);
  const profile = walked.book.get(id);
  if (known || !profile || path.has(id)) return known ?? new Map();
  path.add(id);
  const held = new Map<string, number | undefined>();
  for (const parent of profile.parents) {
    if (walked.book.get(parent)?.inheritable === true) unite(held, walk(parent, walked, path));
  }
  path.delete(id);
  for (const { name, enabled, limit } of profile.entries) {
    if (enabled) for (const one of expand(name, walked.universe)) held.set(one, limit);
  }
  for (const { name, enabled } of profile.entries) {
    if (!enabled) for (const one of expand(name, walked.universe)) held.delete(one);
  }
  walked.known.set(id, held);
  return held;
}

/** What a profile gives of a kind: itself when it is of that kind, else through the profiles that it is a set of. */
export function giftOf(
  book: ProfileBook,
  id: string,
  { type, universe = [] }: { readonly type: ProfileType; readonly universe?: Universe },
): Holding {
  const gift = new Map<string, number | undefined>();
  const seen = new Set<string>();
  const visit = (at: string): void => {
    const profile = book.get(at);
    if (!profile || seen.has(at)) return;
    seen.add(at);
    if (profile.type === type) unite(gift, holdingOf(book, at, universe));
    else if (profile.type === "profile") for (const part of holdingOf(book, at).keys()) visit(part);
  };
  visit(id);
  return gift;
}

/** Adds what another holds; of a quota that both have, the larger stays. */
function unite(held: Map<string, number | undefined>, other: Holding): void {
  for (const [name, limit] of other) {
    const present = held.get(name);
    held.set(name, present === undefined || limit === undefined ? (limit ?? present) : Math.max(present, limit));
  }
}

function expand(name: string, universe: Universe): Iterable<string> {
  return name === everyName ? universe : [name];
}

/** The profiles that one names: those it inherits from, and those it is a set of. */
export function namedBy({ type, parents, entries }: Pick<StoredProfile, "type" | "parents" | "entries">): string[] {
  return [...parents, ...(type === "profile" ? entries.map(({ name }) => name) : [])];
}

/** For each profile the longest way of names that begins at it; `Infinity` when a way leads back to where it was. */
export function waysOf(book: ProfileBook): ReadonlyMap<string, number> {
  const ways = new Map<string, number>();
  const visit = (id: string): number => {
    const known = ways.get(id);
    if (known !== undefined) return known;
    ways.set(id, Number.POSITIVE_INFINITY); // while it is on the way
    const profile = book.get(id);
    const way = profile ? 1 + Math.max(0, ...namedBy(profile).map(visit)) : 0;
    ways.set(id, way);
    return way;
  };
  for (const id of book.keys()) visit(id);
  return ways;
}
