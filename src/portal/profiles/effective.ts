import type { ProfileType, StoredProfile } from "../../operations/records/profiles.ts";

/** Profiles by id, with all profiles that they name, directly or through others. */
export type ProfilesById = ReadonlyMap<string, StoredProfile>;

/** The content of a profile: names, and for quotas their limits. */
export type ProfileContent = ReadonlyMap<string, number | undefined>;

/** All names of a type; `*` stands for each of them. */
export type Universe = Iterable<string>;

/** Stands for all permissions, or all dashboards. */
export const everyName = "*";

/**
 * Returns the content of a profile of its own type: its own entries ∪ those of its inheritable parents − what it disables
 * (portal-resolved.md, section 6). Of a quota that several parents have, the largest limit counts; the profile's own wins over theirs.
 * A profile that names itself in a cycle, which no change can create, adds nothing the second time.
 */
export function holdingOf(profilesById: ProfilesById, id: string, universe: Universe = []): ProfileContent {
  return walk(id, { profilesById, universe, known: new Map() }, new Set());
}

interface ProfileWalk {
  readonly profilesById: ProfilesById;
  readonly universe: Universe;
  readonly known: Map<string, ProfileContent>;
}

function walk(id: string, walked: ProfileWalk, path: Set<string>): ProfileContent {
  const known = walked.known.get(id);
  const profile = walked.profilesById.get(id);
  if (known || !profile || path.has(id)) return known ?? new Map();
  path.add(id);
  const content = new Map<string, number | undefined>();
  for (const parent of profile.parents) {
    if (walked.profilesById.get(parent)?.inheritable === true) unite(content, walk(parent, walked, path));
  }
  path.delete(id);
  for (const { name, enabled, limit } of profile.entries) {
    if (enabled) for (const one of expand(name, walked.universe)) content.set(one, limit);
  }
  for (const { name, enabled } of profile.entries) {
    if (!enabled) for (const one of expand(name, walked.universe)) content.delete(one);
  }
  walked.known.set(id, content);
  return content;
}

/** Returns what a profile grants of a type: its own content when it has that type, else that of the profiles it is a set of. */
export function grantOf(
  profilesById: ProfilesById,
  id: string,
  { type, universe = [] }: { readonly type: ProfileType; readonly universe?: Universe },
): ProfileContent {
  const grant = new Map<string, number | undefined>();
  const seen = new Set<string>();
  const collectFrom = (at: string): void => {
    const profile = profilesById.get(at);
    if (!profile || seen.has(at)) return;
    seen.add(at);
    if (profile.type === type) unite(grant, holdingOf(profilesById, at, universe));
    else if (profile.type === "profile") for (const part of holdingOf(profilesById, at).keys()) collectFrom(part);
  };
  collectFrom(id);
  return grant;
}

/** Adds the content of another profile. Of a quota that both have, the larger limit stays. */
function unite(content: Map<string, number | undefined>, other: ProfileContent): void {
  for (const [name, limit] of other) {
    const present = content.get(name);
    content.set(name, present === undefined || limit === undefined ? (limit ?? present) : Math.max(present, limit));
  }
}

function expand(name: string, universe: Universe): Iterable<string> {
  return name === everyName ? universe : [name];
}

/** Returns the ids of the profiles that one names: those it inherits from, and those it is a set of. */
export function namedBy({ type, parents, entries }: Pick<StoredProfile, "type" | "parents" | "entries">): string[] {
  return [...parents, ...(type === "profile" ? entries.map(({ name }) => name) : [])];
}

/** Returns how many levels of profiles are nested under each profile; `Infinity` for a cycle. */
export function depthsOf(profilesById: ProfilesById): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    depths.set(id, Number.POSITIVE_INFINITY); // until its depth is known: a profile that is met again closes a cycle
    const profile = profilesById.get(id);
    const depth = profile ? 1 + Math.max(0, ...namedBy(profile).map(depthOf)) : 0;
    depths.set(id, depth);
    return depth;
  };
  for (const id of profilesById.keys()) depthOf(id);
  return depths;
}
