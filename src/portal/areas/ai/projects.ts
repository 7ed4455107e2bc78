import type { Project } from "../../../api/governance.ts";
import { GatewayError } from "../../../errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { AiProjectCreated } from "../../../operations/portal/resources/ai.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { draftProject, patchRecord, present } from "../../../policy/record.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import type { AreaBackend } from "../../regions.ts";
import { add, change, drop } from "../../shelf.ts";
import { changeProject } from "./change-project.ts";
import { findCustomer } from "./customer.ts";
import { removeMembers } from "./members.ts";
import { findTier } from "./tariff.ts";
import { tagsOf, tenantOf } from "./tenant.ts";

/** Projects: made by a tier, changed, switched off and on, deleted. */
export function projectsOf(tools: AreaTools) {
  return {
    createProject: async (draft, call) => [await createProject(tools, draft, call)],
    changeProject: (input, call) => changeProject(tools, input, call),
    async toggleProject({ ai_project_id }, { records, now }) {
      const by = (project: Project) => patchRecord(project, { active: !project.active }, now);
      await change(records, "project", { id: ai_project_id, by });
      return undefined;
    },
    async deleteProject({ ai_project_id }, call) {
      await drop(call.records, "project", ai_project_id);
      await removeMembers(call, ai_project_id);
      return undefined;
    },
  } satisfies AreaBackend<"ai">;
}

type Draft = InputOf<Areas["ai"]["createProject"]>;

async function createProject(tools: AreaTools, draft: Draft, call: PortalCall): Promise<AiProjectCreated> {
  const { name, description, apply_keys } = draft;
  if (call.caller.place.user_id !== undefined)
    throw new GatewayError("permission_denied", "Projects belong to a client or a level above it, not to a user.");
  const tenant = tenantOf(call.caller.place);
  const { name: tier, llms, budgets, rate_limits } = findTier(tools.tariff, tenant, draft.tier);
  const customer_id = await findCustomer(tools, tenant, call.now);
  const metadata = { ...tagsOf(tenant), tier, ...(apply_keys ? { apply_keys: "true" } : {}) };
  const birth = { id: tools.newId("prj"), now: call.now };
  const project = draftProject({ name, description, metadata, llms, budgets, rate_limits, customer_id }, birth);
  await add(call.records, "project", project);
  return { id: project.id, name, budgets, rate_limits, llm: llms, ...present({ description, customer_id }) };
}
