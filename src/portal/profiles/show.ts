import type { Profile, ProfileTreeNode } from "../../operations/portal/tenancy/profiles.ts";
import type { StoredProfile } from "../../operations/records/profiles.ts";
import type { ScopedRecord } from "../tenancy/tenant-scope.ts";

/** The level that something belongs to, in the words of the answers: the client and its reseller, the reseller, or the provider. */
export function showLevel({ reseller, client_id }: ScopedRecord) {
  if (reseller === null || reseller === undefined) return { provider: "provider" };
  return { reseller, ...(client_id === null || client_id === undefined ? {} : { client: client_id }) };
}

/** A profile as it is listed. */
export function showProfile(profile: StoredProfile): Profile {
  const { id, name, type, inheritable, description } = profile;
  return { id, name, type, inheritable, ...showLevel(profile), ...(description === undefined ? {} : { description }) };
}

/**
 * Profiles as a tree: under each those that inherit from it. One that inherits from several stands under each of them, and shows its own
 * children in the first place only, where `expanded` is true, so that the tree is never larger than what names what.
 */
export function treeOf(profiles: readonly StoredProfile[]): ProfileTreeNode[] {
  const ids = new Set(profiles.map(({ id }) => id));
  const children = new Map<string, StoredProfile[]>();
  for (const profile of profiles) {
    for (const parent of profile.parents) children.set(parent, [...(children.get(parent) ?? []), profile]);
  }
  const shown = new Set<string>();
  const toNode = (profile: StoredProfile): ProfileTreeNode => {
    const expanded = !shown.has(profile.id);
    shown.add(profile.id);
    const below = expanded ? (children.get(profile.id) ?? []).map(toNode) : [];
    return { ...showProfile(profile), children: below, expanded, parents_ids: [...profile.parents] };
  };
  return profiles.filter(({ parents }) => !parents.some((parent) => ids.has(parent))).map(toNode);
}
