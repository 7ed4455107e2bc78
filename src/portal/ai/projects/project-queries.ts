import type { Project } from "../../../engine/api/governance.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { RecordKinds, Where } from "../../../engine/ports/records.ts";
import type { AiCustomer, AiProject } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { readListed } from "../../call/listed.ts";
import type { AreaBackend } from "../../regions.ts";
import { groupLlms } from "../../tariff/llms.ts";
import { readPeriod } from "../costs/period.ts";
import { readUsage } from "../costs/spending.ts";
import { readProject } from "../find.ts";
import { isActive } from "../keys/show-key.ts";
import { type KeyWithParents, readFamilies } from "../parents.ts";

/** The queries of projects and customers. */
export function projectQueriesOf(deps: PortalDeps) {
  return {
    async projects(_input, call) {
      const projects = await readListed(call, "project");
      const keys = await readFamilies(deps.records, call, await readOf(call, "key", { project_id: projects }));
      const keysOf = groupBy(keys, ({ key }) => key.project_id);
      const show = await createShow(deps, call, projects);
      return projects.map((project) => ({
        ...show(project, keysOf.get(project.id) ?? []),
        llm: [...(project.llms ?? ["*"])],
      }));
    },
    async project({ ai_project_id }, call) {
      const project = await readProject(call, ai_project_id);
      const found = await readListed({ records: call.records }, "key", { project_id: project.id });
      const keys = await readFamilies(deps.records, call, found);
      const show = await createShow(deps, call, [project]);
      return [{ ...show(project, keys), llms: groupLlms(project.llms ?? ["*"]) }];
    },
    async customers(_input, call) {
      const customers = await readListed(call, "customer");
      const owned = await readOf(call, "project", { customer_id: customers });
      const projects = groupBy(owned, ({ customer_id }) => customer_id);
      return customers.map(({ id, name, budgets, rate_limits, llms, mcp_configs }): AiCustomer => {
        const teams = (projects.get(id) ?? []).map((project) => ({ id: project.id, name: project.name }));
        return { id, name, budgets, rate_limits, llms: groupLlms(llms ?? ["*"]), teams, ...present({ mcp_configs }) };
      });
    },
  } satisfies AreaBackend<"ai">;
}

/** Returns the records that name one of the given ones; of a whole list, all records. */
async function readOf<Kind extends "key" | "project">(
  { records, page }: PortalCall,
  kind: Kind,
  of: Readonly<Record<string, readonly { readonly id: string }[]>>,
): Promise<RecordKinds[Kind][]> {
  if (page?.limit === undefined) return readListed({ records }, kind);
  const found: RecordKinds[Kind][] = [];
  for (const [field, owners] of Object.entries(of))
    for (const { id } of owners) found.push(...(await readListed({ records }, kind, { [field]: id } as Where<Kind>))); // a link of the kind
  return found;
}

/** Returns projects with their usage in the current month. */
async function createShow(deps: PortalDeps, call: PortalCall, projects: readonly Project[]) {
  const period = readPeriod({}, call.now);
  const ids = projects.map(({ id }) => id);
  const usageOf = await readUsage(deps.ledger, { dimension: "project_id", ids, period });
  const customers = new Map(
    (await readListed({ records: call.records }, "customer")).map(({ id, name }) => [id, { id, name }]),
  );
  return (project: Project, keys: readonly KeyWithParents[]): AiProject => {
    const customer = customers.get(project.customer_id ?? "");
    return { ...showProject(project, keys), tokens_usage: { ...usageOf(project.id) }, ...(customer && { customer }) };
  };
}

function showProject(project: Project, keys: readonly KeyWithParents[]) {
  const { id, name, description, metadata, budgets, rate_limits, active, mcp_configs } = project;
  const { reseller, client_id, original_name } = metadata;
  return {
    id,
    name,
    original_name: original_name ?? name,
    disabled: !active,
    budgets,
    rate_limits,
    keys: keys.map(({ key, user }) => ({ id: key.id, name: key.name, is_active: isActive(key, user) })),
    ...present({ description, reseller, client_id, mcp_configs }),
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
