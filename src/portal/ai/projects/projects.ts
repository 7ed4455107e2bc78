import type { PortalDeps } from "../../area.ts";
import type { AreaBackend } from "../../regions.ts";
import { removeNamed } from "../../tenancy/record-access.ts";
import { changeProject, toggleProject } from "./change-project.ts";
import { createProject } from "./create-project.ts";
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
