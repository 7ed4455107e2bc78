import type { StoredUser } from "../api/portal/users.ts";
import { everyPermission, expandPermissions } from "../operations/permissions.ts";
import type { Records } from "../ports/records.ts";

/** Tells what a user may do, as names of permissions; `*` is everything. Asked with all records, since roles and profiles lie above users. */
export type Grantor = (user: StoredUser, records: Records) => Promise<Iterable<string>>;

/** What a user's roles grant. */
export const roleGrants: Grantor = async ({ roles }, records) => {
  const found = await Promise.all(roles.map(async (id) => await records.get("role", id)));
  return found.flatMap((stored) => stored?.record.permissions ?? []);
};

/** Everything that any of the grantors grants a user. */
export async function grantsOf(
  user: StoredUser,
  records: Records,
  grantors: readonly Grantor[],
): Promise<ReadonlySet<string>> {
  const granted = await Promise.all(grantors.map((grantor) => grantor(user, records)));
  return expandPermissions(granted.flatMap((names) => [...names]));
}

/** What a token may do: of its own permissions those that its owner has (portal-resolved.md, section 2). */
export function limitToOwner(permissions: readonly string[], granted: ReadonlySet<string>): ReadonlySet<string> {
  if (permissions.includes(everyPermission)) return granted;
  return new Set(permissions.filter((name) => granted.has(name)));
}
