import type { Records } from "../../engine/ports/records.ts";
import type { StoredProfile, StoredProfileAssignment } from "../../operations/records/profiles.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import { readAll } from "../tenancy/record-access.ts";
import type { ScopedRecord } from "../tenancy/tenant-scope.ts";
import type { ProfilesById } from "./effective.ts";
import { loadProfiles } from "./known.ts";

/** Returns the key by which assignments are found: the holder, which is a user or a whole level, as one string. */
export function holderOf({ reseller, client_id, user_id }: ScopedRecord): string {
  return JSON.stringify([reseller ?? null, client_id ?? null, user_id ?? null]);
}

/** The profiles of a user, and all profiles that these name. */
export interface UserProfiles {
  readonly profilesById: ProfilesById;
  readonly profiles: readonly StoredProfile[];
}

/** The fields of a user that decide its profiles. */
export type ProfileUser = Pick<StoredUser, "id" | "reseller" | "client_id">;

/** Returns the profiles of a user: its own, those of its level, and the inheritable ones of the levels above. Needs all records. */
export async function profilesOf(user: ProfileUser, records: Records): Promise<UserProfiles> {
  const { id, reseller, client_id } = user;
  const holders = new Set([
    holderOf({}),
    holderOf({ reseller }),
    holderOf({ reseller, client_id }),
    holderOf({ reseller, client_id, user_id: id }),
  ]);
  const found = await Promise.all([...holders].map((holder) => readAll(records, "profile_assignment", { holder })));
  const assignments = found.flat();
  const profilesById = await loadProfiles(
    records,
    assignments.map(({ profile_id }) => profile_id),
  );
  const assigned = assignments.flatMap((assignment) => {
    const profile = profilesById.get(assignment.profile_id);
    return profile && applies(assignment, profile, user) ? [profile] : [];
  });
  return { profilesById, profiles: [...new Set(assigned)] };
}

/** An assignment to a level applies to the users of that level. Users below inherit what is inheritable. */
function applies(assignment: StoredProfileAssignment, { inheritable }: StoredProfile, user: ProfileUser): boolean {
  const isOwn = assignment.reseller === user.reseller && assignment.client_id === user.client_id;
  return isOwn || inheritable;
}
