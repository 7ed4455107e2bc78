import type { PermissionSource } from "../identity/permission-sources.ts";
import { allPermissions } from "../permissions.ts";
import { profilesOf } from "./assigned.ts";
import { grantOf, type ProfilesById } from "./effective.ts";

/** The permissions that a user's profiles grant. */
export const profileGrants: PermissionSource = async (user, records) => {
  const { profilesById, profiles } = await profilesOf(user, records);
  return profiles.flatMap(({ id }) => permissionsOf(profilesById, id));
};

/** Returns the permissions that a profile grants. */
export function permissionsOf(profilesById: ProfilesById, id: string): string[] {
  return [...grantOf(profilesById, id, { type: "permission", universe: allPermissions }).keys()];
}
