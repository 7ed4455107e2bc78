import { aiArea } from "../ai/area.ts";
import type { PortalDeps } from "../area.ts";
import { keypairArea } from "../keypair/area.ts";
import { profilesArea } from "../profiles/area.ts";
import { quotasArea } from "../quotas/area.ts";
import { usersArea } from "../users/users.ts";

/** The areas about who may do and spend what. Add an area here. */
export function tenancyBackends(deps: PortalDeps) {
  return {
    ai: aiArea(deps),
    keypair: keypairArea(deps),
    profiles: profilesArea(deps),
    quotas: quotasArea(deps),
    users: usersArea(deps),
  };
}
