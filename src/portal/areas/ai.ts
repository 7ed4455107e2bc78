import type { AreaTools } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { costsOf } from "./ai/costs.ts";
import { keyViewsOf } from "./ai/key-views.ts";
import { keysOf } from "./ai/keys.ts";
import { membersOf } from "./ai/members.ts";
import { offersOf } from "./ai/offers.ts";
import { projectViewsOf } from "./ai/project-views.ts";
import { projectsOf } from "./ai/projects.ts";

/**
 * Virtual keys, projects, customers and their cost: the engine's own governance and ledger as an area of the portal, with nothing
 * stored twice (portal-resolved.md, section 3).
 */
export function aiArea(tools: AreaTools): AreaBackend<"ai"> {
  return {
    ...keysOf(tools),
    ...keyViewsOf(tools),
    ...projectsOf(tools),
    ...projectViewsOf(tools),
    ...membersOf(),
    ...costsOf(tools),
    ...offersOf(tools),
  };
}
