import type { Records } from "../../engine/ports/records.ts";
import type { StoredUser } from "../../operations/records/users.ts";
import { everyPermission, expandPermissions } from "../permissions.ts";

/** Returns the permissions of a user by name; `*` is all. Needs all records, because roles and profiles belong to levels above the user. */
export type PermissionSource = (user: StoredUser, records: Records) => Promise<Iterable<string>>;

/** The permissions that a user's roles grant. */
export const roleGrants: PermissionSource = async ({ roles }, records) => {
  const found = await Promise.all(roles.map(async (id) => await records.get("role", id)));
  return found.flatMap((stored) => stored?.record.permissions ?? []);
};

/** Returns every permission that any of the sources grants a user. */
export async function grantsOf(
  user: StoredUser,
  records: Records,
  permissionSources: readonly PermissionSource[],
): Promise<ReadonlySet<string>> {
  const granted = await Promise.all(permissionSources.map((source) => source(user, records)));
  return expandPermissions(granted.flatMap((names) => [...names]));
}

/** Returns the permissions of a token: those of its own that its owner has too (portal-resolved.md, section 2). */
export function limitToOwner(permissions: readonly string[], granted: ReadonlySet<string>): ReadonlySet<string> {
  if (permissions.includes(everyPermission)) return granted;
  return new Set(permissions.filter((name) => granted.has(name)));
}
