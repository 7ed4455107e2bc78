import { z } from "zod";
import { Budget, ModelPattern, RateLimit } from "../../../../engine/api/governance.ts";
import { McpCeilings } from "../../../../engine/api/mcp/access.ts";
import { op } from "../../../define.ts";
import { flag, ids, instant, note, text, title } from "../../fields.ts";
import { AiProject, AiProjectCost, AiProjectCreated, AiProjectUser } from "./resources.ts";

/** Projects, and the users in them. */
export const aiProjects = {
  deleteProject: op(
    "DELETE /ai/project/{ai_project_id}",
    "ai_team_management-delete",
    "Delete a project that holds no keys",
  ),
  project: op("GET /ai/project/{ai_project_id}", "ai_team_management-get", "Read one project", {
    out: z.array(AiProject),
  }),
  changeProject: op("PATCH /ai/project/{ai_project_id}", "ai_team_management-patch", "Change a project", {
    in: {
      apply_keys: flag.optional(),
      budgets: z.array(Budget).max(20).optional(),
      description: note.nullish(),
      llms: z.array(ModelPattern).max(1_000).nullish(),
      /** The most that its keys may call of MCP servers; `null` does not bound them. */
      mcp_configs: McpCeilings.nullish(),
      name: title.optional(),
      rate_limits: z.array(RateLimit).max(20).optional(),
      remove: ids.optional(),
    },
  }),
  projectCost: op(
    "GET /ai/project/{ai_project_id}/cost",
    "ai_team_management_cost-get",
    "Read what a project has cost",
    { in: { start: instant.optional(), end: instant.optional() }, out: AiProjectCost },
  ),
  toggleProject: op(
    "PATCH /ai/project/{ai_project_id}/toggle",
    "ai_team_management_toggle-patch",
    "Disable an enabled project, enable a disabled one",
  ),
  removeUsers: op(
    "DELETE /ai/project/{ai_project_id}/users",
    "ai_team_users_management-delete",
    "Take users out of a project",
    { in: { users_ids: ids.min(1) } },
  ),
  users: op("GET /ai/project/{ai_project_id}/users", "ai_team_users_management-get", "List the users of a project", {
    out: z.array(AiProjectUser),
  }),
  addUsers: op("POST /ai/project/{ai_project_id}/users", "ai_team_users_management-post", "Add users to a project", {
    in: { users_ids: ids.min(1) },
  }),
  projects: op("GET /ai/projects", "ai_teams_management-get", "List projects", { out: z.array(AiProject) }),
  createProject: op("POST /ai/projects", "ai_teams_management-post", "Create a project", {
    in: {
      description: note,
      name: title,
      tier: text,
      apply_keys: flag.optional(),
      /** The most that its keys may call of MCP servers; every tool that they are given unless set. */
      mcp_configs: McpCeilings.optional(),
    },
    out: z.array(AiProjectCreated),
  }),
};
