import type { PortalDeps } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { costsOf } from "./costs/costs.ts";
import { customersOf } from "./customers.ts";
import { insightsOf } from "./insights/insights.ts";
import { keyQueriesOf } from "./keys/key-queries.ts";
import { keysOf } from "./keys/keys.ts";
import { projectQueriesOf } from "./projects/project-queries.ts";
import { projectsOf } from "./projects/projects.ts";
import { vendorsOf } from "./vendors.ts";

/**
 * Virtual keys, projects, customers and their cost: the engine's own governance and ledger as an area of the portal, with nothing
 * stored twice (portal-resolved.md, section 3).
 */
export function aiArea(deps: PortalDeps): AreaBackend<"ai"> {
  return {
    ...keysOf(deps),
    ...keyQueriesOf(deps),
    ...projectsOf(deps),
    ...projectQueriesOf(deps),
    ...costsOf(deps),
    ...customersOf(deps),
    ...vendorsOf(deps),
    ...insightsOf(deps),
  };
}
