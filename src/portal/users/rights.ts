import type { PortalDeps } from "../area.ts";
import { permissionCatalogue } from "../permissions.ts";
import { readAuditLog } from "./audit-log.ts";
import { passwordsArea } from "./passwords.ts";
import { rolesArea } from "./roles.ts";
import { tokensArea } from "./tokens.ts";

/** The roles, permissions, access tokens and passwords of users, and the log of what was changed. */
export function rightsArea(deps: PortalDeps) {
  const permissions = () => [...permissionCatalogue];
  return { ...rolesArea(deps), ...tokensArea(deps), ...passwordsArea(deps), permissions, audit: readAuditLog };
}
