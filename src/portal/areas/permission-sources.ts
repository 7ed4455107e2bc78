import { type PermissionSource, roleGrants } from "../identity/permission-sources.ts";
import { profileGrants } from "../profiles/grants.ts";

/** The sources of permissions: a user has every permission that any of them grants. Add a source here. */
export const permissionSources: readonly PermissionSource[] = [roleGrants, profileGrants];
