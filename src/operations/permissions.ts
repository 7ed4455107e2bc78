import { portalRows } from "./portal/table.ts";
import type { PermissionEntry } from "./portal/users.ts";

/** Every permission with the operation that asks for it, in the order of the table. */
export const permissionCatalogue: readonly PermissionEntry[] = portalRows.map(({ area, operation }) => {
  const { access, method, path, summary } = operation;
  return { name: access, area, method, path, summary };
});

/** The names of all permissions. */
export const allPermissions: ReadonlySet<string> = new Set(permissionCatalogue.map(({ name }) => name));

/** Stands for every permission there is, now and later. */
export const everyPermission = "*";

/** What the names grant: `*` is everything, names of no permission are nothing. */
export function expandPermissions(names: Iterable<string>): ReadonlySet<string> {
  const known = new Set<string>();
  for (const name of names) {
    if (name === everyPermission) return allPermissions;
    if (allPermissions.has(name)) known.add(name);
  }
  return known;
}
