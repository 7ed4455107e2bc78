import { GatewayError } from "../../../engine/errors.ts";
import { draftProject, present } from "../../../engine/policy/drafts.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiProjectCreated } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { findTier } from "../../tariff/tariff.ts";
import { add, removeNamed } from "../../tenancy/record-access.ts";
import { tagsOf, tenantOf } from "../../tenancy/tenant.ts";
import { tagSetter } from "../ceilings.ts";
import { findCustomer } from "../customer.ts";
import { boundCeilings } from "../settings.ts";
import { changeProject, toggleProject } from "./change-project.ts";
import { membersOf, removeMembers } from "./members.ts";

/** Projects: created from a tier, changed, disabled, enabled and deleted. */
export function projectsOf(deps: PortalDeps) {
  return {
    ...membersOf(),
    createProject: async (draft, call) => [await createProject(deps, draft, call)],
    changeProject: (input, call) => changeProject(deps, input, call),
    toggleProject: ({ ai_project_id }, call) => toggleProject(deps, ai_project_id, call),
    async deleteProject({ ai_project_id }, call) {
      await removeNamed(call, "project", ai_project_id);
      await removeMembers(call, ai_project_id);
      return undefined;
    },
  } satisfies AreaBackend<"ai">;
}

type ProjectCreationInput = InputOf<Areas["ai"]["createProject"]>;

/** Creates a project of a tier for the tenant of its caller. Throws `permission_denied` for a user. */
async function createProject(
  deps: PortalDeps,
  draft: ProjectCreationInput,
  call: PortalCall,
): Promise<AiProjectCreated> {
  const { name, description, apply_keys } = draft;
  if (call.caller.scope.user_id !== undefined)
    throw new GatewayError("permission_denied", "Projects belong to a client or a level above it, not to a user.");
  const tenant = tenantOf(call.caller.scope);
  const { name: tier, llms, budgets, rate_limits, max_in_flight } = findTier(deps.tariff, tenant, draft.tier);
  const customer_id = await findCustomer(call, tenant);
  const tags = { ...tagsOf(tenant), tier, ...(apply_keys ? { apply_keys: "true" } : {}) };
  const mcp_configs = boundCeilings({ metadata: tags }, draft.mcp_configs, call) ?? undefined;
  const metadata = mcp_configs ? tagSetter({ metadata: tags }, ["mcp_configs"], call) : tags;
  const birth = { id: deps.newId("prj"), now: call.now };
  const project = draftProject(
    { name, description, metadata, llms, budgets, rate_limits, max_in_flight, customer_id, mcp_configs },
    birth,
  );
  await add(call.records, "project", project);
  return { id: project.id, name, budgets, rate_limits, llm: llms, ...present({ description, customer_id }) };
}
