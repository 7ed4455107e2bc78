import type { PortalDeps } from "../area.ts";
import type { AreaBackend } from "../regions.ts";
import { upliftsOf } from "../tariff/tariff.ts";
import { read } from "../tenancy/record-access.ts";
import { changeCustomer } from "./change-customer.ts";
import { costsOf } from "./costs/costs.ts";
import { readPeriod } from "./costs/period.ts";
import { readSpent } from "./costs/spending.ts";
import { credentialsOf } from "./credentials/credentials.ts";
import { insightsOf } from "./insights/insights.ts";
import { keyQueriesOf } from "./keys/key-queries.ts";
import { keysOf } from "./keys/keys.ts";
import { offersOf } from "./offers.ts";
import { projectQueriesOf } from "./projects/project-queries.ts";
import { projectsOf } from "./projects/projects.ts";
import { toolsOf } from "./tools/tools.ts";

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

/** What vendors and tool servers offer, and the credentials by which vendors are called. */
function vendorsOf(deps: PortalDeps) {
  return { ...offersOf(deps), ...credentialsOf(deps), ...toolsOf(deps) } satisfies AreaBackend<"ai">;
}

/** Changes of customers, and what they cost. */
function customersOf(deps: PortalDeps) {
  const { ledger, tariff } = deps;
  return {
    changeCustomer: (input, call) => changeCustomer(deps, input, call),
    async customerCost({ customer_id, ...period }, call) {
      const { id, metadata } = await read(call.records, "customer", customer_id);
      const uplifts = upliftsOf(tariff, metadata);
      return readSpent(ledger, { period: readPeriod(period, call.now), filters: { customer_id: id }, uplifts });
    },
  } satisfies AreaBackend<"ai">;
}
