import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredProfile } from "../../operations/records/profiles.ts";
import type { PortalCall } from "../call/call.ts";
import { notFound, readAll } from "../tenancy/record-access.ts";
import { contains, depthOf, type ScopedRecord, type TenantScope, toScope } from "../tenancy/tenant-scope.ts";
import { namedBy, type ProfilesById } from "./effective.ts";

/** Returns the profiles with those ids and all profiles that they name, directly or through others. */
export async function loadProfiles(records: Records, ids: Iterable<string>): Promise<ProfilesById> {
  const profilesById = new Map<string, StoredProfile>();
  let pending = new Set(ids);
  while (pending.size > 0) {
    const found = await Promise.all([...pending].map(async (id) => await records.get("profile", id)));
    const fresh = found.flatMap((stored) => (stored ? [stored.record] : []));
    for (const profile of fresh) profilesById.set(profile.id, profile);
    pending = new Set(fresh.flatMap(namedBy).filter((id) => !profilesById.has(id)));
  }
  return profilesById;
}

/** The profiles that a caller can refer to. */
export interface KnownProfiles {
  /** All profiles at its own level, below it or above it: from these the content of a profile is computed. */
  readonly profilesById: ProfilesById;
  /** The profiles that it sees: those of its own level and below, and the inheritable ones above it. */
  readonly visible: readonly StoredProfile[];
}

/** Reads the profiles that a caller can refer to. */
export async function knownProfiles(call: PortalCall): Promise<KnownProfiles> {
  const above = await call.listAbove("profile");
  const own = await readAll(call.records, "profile");
  const visible = [...above.filter(({ inheritable }) => inheritable), ...own];
  return { profilesById: new Map([...above, ...own].map((profile) => [profile.id, profile])), visible };
}

/** True where a profile may be used: at its own level and below. */
export function isUsableAt(profile: StoredProfile, record: ScopedRecord): boolean {
  return contains(toScope(profile), record);
}

/**
 * Returns the profile with that id or name. Among profiles of one name the nearest wins: at the caller's level, then above it, then below
 * it. Throws `not_found`, and `conflict` when two are equally near.
 */
export function findProfile({ visible }: KnownProfiles, name: string, caller: TenantScope): StoredProfile {
  const byId = visible.find(({ id }) => id === name);
  if (byId) return byId;
  const named = visible.filter((profile) => profile.name.toLowerCase() === name.toLowerCase());
  const [first, second] = named.sort((one, other) => distance(one, caller) - distance(other, caller));
  if (!first) throw notFound("profile", name);
  if (!second || distance(first, caller) !== distance(second, caller)) return first;
  throw new GatewayError("conflict", `There are several profiles \`${name}\`. Use the id of one.`);
}

function distance(profile: StoredProfile, caller: TenantScope): number {
  const steps = depthOf(profile) - depthOf(caller);
  return contains(caller, profile) && steps > 0 ? 10 + steps : -steps;
}
