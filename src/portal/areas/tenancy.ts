import { aiArea } from "../ai/area.ts";
import { alertsArea } from "../alerts/area.ts";
import type { PortalDeps } from "../area.ts";
import { keypairArea } from "../keypair/area.ts";
import { meArea } from "../me/area.ts";
import { profilesArea } from "../profiles/area.ts";
import { quotasArea } from "../quotas/area.ts";
import { tenantsArea } from "../tenants/area.ts";
import { usersArea } from "../users/users.ts";

/** The areas about who may do and spend what, and what they are alerted to. Add an area here. */
export function tenancyBackends(deps: PortalDeps) {
  return {
    ai: aiArea(deps),
    alerts: alertsArea(deps),
    keypair: keypairArea(deps),
    me: meArea(deps),
    profiles: profilesArea(deps),
    quotas: quotasArea(deps),
    tenants: tenantsArea(deps),
    users: usersArea(deps),
  };
}
