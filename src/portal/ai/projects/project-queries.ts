import type { Project } from "../../../api/governance.ts";
import type { AiCustomer, AiProject } from "../../../operations/portal/tenancy/ai-resources.ts";
import { present } from "../../../policy/drafts.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { groupLlms } from "../../tariff/llms.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { readPeriod } from "../costs/period.ts";
import { readUsage } from "../costs/spending.ts";
import { readProject } from "../find.ts";
import { isActive } from "../keys/show-key.ts";
import { type KeyWithParents, readFamilies } from "../parents.ts";

/** The queries of projects and customers. */
export function projectQueriesOf(deps: PortalDeps) {
  return {
    async projects(_input, call) {
      const projects = await readAll(call.records, "project");
      const keys = await readFamilies(deps.records, call, await readAll(call.records, "key"));
      const keysOf = groupBy(keys, ({ key }) => key.project_id);
      const show = await createShow(deps, call, projects);
      return projects.map((project) => ({
        ...show(project, keysOf.get(project.id) ?? []),
        llm: [...(project.llms ?? ["*"])],
      }));
    },
    async project({ ai_project_id }, call) {
      const project = await readProject(call, ai_project_id);
      const found = await readAll(call.records, "key", { project_id: project.id });
      const keys = await readFamilies(deps.records, call, found);
      const show = await createShow(deps, call, [project]);
      return [{ ...show(project, keys), llms: groupLlms(project.llms ?? ["*"]) }];
    },
    async customers(_input, call) {
      const customers = await readAll(call.records, "customer");
      const projects = groupBy(await readAll(call.records, "project"), ({ customer_id }) => customer_id);
      return customers.map(({ id, name, budgets, rate_limits, llms }): AiCustomer => {
        const teams = (projects.get(id) ?? []).map((project) => ({ id: project.id, name: project.name }));
        return { id, name, budgets, rate_limits, llms: groupLlms(llms ?? ["*"]), teams };
      });
    },
  } satisfies AreaBackend<"ai">;
}

/** Returns projects with their usage in the current month. */
async function createShow(deps: PortalDeps, call: PortalCall, projects: readonly Project[]) {
  const period = readPeriod({}, call.now);
  const ids = projects.map(({ id }) => id);
  const usageOf = await readUsage(deps.ledger, { dimension: "project_id", ids, period });
  const customers = new Map((await readAll(call.records, "customer")).map(({ id, name }) => [id, { id, name }]));
  return (project: Project, keys: readonly KeyWithParents[]): AiProject => {
    const customer = customers.get(project.customer_id ?? "");
    return { ...showProject(project, keys), tokens_usage: { ...usageOf(project.id) }, ...(customer && { customer }) };
  };
}

function showProject(project: Project, keys: readonly KeyWithParents[]) {
  const { id, name, description, metadata, budgets, rate_limits, active } = project;
  const { reseller, client_id, original_name } = metadata;
  return {
    id,
    name,
    original_name: original_name ?? name,
    disabled: !active,
    budgets,
    rate_limits,
    keys: keys.map(({ key, user }) => ({ id: key.id, name: key.name, is_active: isActive(key, user) })),
    ...present({ description, reseller, client_id }),
  };
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): Map<string | undefined, Item[]> {
  const groups = new Map<string | undefined, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
