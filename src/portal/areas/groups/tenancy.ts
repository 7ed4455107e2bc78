import type { AreaTools } from "../../area.ts";
import { aiArea } from "../ai.ts";
import { keypairArea } from "../keypair.ts";
import { profilesArea } from "../profiles.ts";
import { quotasArea } from "../quotas.ts";
import { usersArea } from "../users.ts";

/** The areas about who may do and spend what; an area is a line here. */
export function tenancyBackends(tools: AreaTools) {
  return {
    ai: aiArea(tools),
    keypair: keypairArea(tools),
    profiles: profilesArea(tools),
    quotas: quotasArea(tools),
    users: usersArea(tools),
  };
}
