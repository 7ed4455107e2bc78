import { portalRows } from "../operations/portal/table.ts";
import type { PermissionEntry } from "../operations/portal/tenancy/users.ts";

/** Every permission with the operation that requires it, in the order of the table. */
export const permissionCatalogue: readonly PermissionEntry[] = portalRows.map(({ area, operation }) => {
  const { access, method, path, summary } = operation;
  return { name: access, area, method, path, summary };
});

/** The names of all permissions. */
export const allPermissions: ReadonlySet<string> = new Set(permissionCatalogue.map(({ name }) => name));

/** Stands for every permission, present and future. */
export const everyPermission = "*";

/** Returns the permissions that names grant: `*` grants all, an unknown name none. */
export function expandPermissions(names: Iterable<string>): ReadonlySet<string> {
  const known = new Set<string>();
  for (const name of names) {
    if (name === everyPermission) return allPermissions;
    if (allPermissions.has(name)) known.add(name);
  }
  return known;
}
