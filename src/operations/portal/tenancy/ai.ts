import { z } from "zod";
import { Budget, ModelPattern, RateLimit } from "../../../api/governance.ts";
import { op } from "../../define.ts";
import { flag, id, ids, instant, note, text, title, words } from "../fields.ts";
import {
  AiCustomer,
  AiKey,
  AiKeyBrief,
  AiKeyCost,
  AiKeyCreated,
  AiKeyDetail,
  AiProject,
  AiProjectCost,
  AiProjectCreated,
  AiProjectUser,
  PortalAiCostRates,
} from "./ai-resources.ts";

/** Virtual keys, their projects and customers, and what they cost. */
export const ai = {
  rates: op("GET /ai/cost/all", "ai_all_costs-get", "Read the rates of every model", {
    in: { model: text.optional() },
    out: z.union([z.record(z.string(), PortalAiCostRates), PortalAiCostRates]),
  }),
  customers: op("GET /ai/customer", "ai_customer-get", "List customers", { out: z.array(AiCustomer) }),
  keys: op("GET /ai/keys", "ai-get", "List virtual keys", {
    in: { ai_project_id: id.optional(), start: instant.optional(), end: instant.optional() },
    out: z.array(AiKey),
  }),
  createKey: op("POST /ai/keys", "ai-post", "Create a virtual key; its value is shown this once", {
    in: {
      description: note,
      name: title,
      tier: text,
      user_bound: flag,
      project_id: id.optional(),
      user: text.optional(),
    },
    out: AiKeyCreated,
    once: ["value"],
  }),
  deleteKey: op("DELETE /ai/keys/{key_id}", "ai_key-delete", "Delete a virtual key"),
  key: op("GET /ai/keys/{key_id}", "ai_key-get", "Read one virtual key", { out: AiKeyDetail }),
  changeKey: op("PATCH /ai/keys/{key_id}", "ai_key-patch", "Change a virtual key", {
    in: {
      active: flag.optional(),
      budgets: z.array(Budget).max(20).optional(),
      description: note.optional(),
      expires_at: instant.nullish(),
      llms: z.array(ModelPattern).max(1_000).optional(),
      name: title.optional(),
      rate_limits: z.array(RateLimit).max(20).optional(),
      starts_at: instant.nullish(),
    },
    out: AiKeyBrief,
  }),
  rotateKey: op(
    "POST /ai/keys/{key_id}/rotate",
    "ai_key_rotate-post",
    "Give a virtual key a new value, shown this once",
    {
      in: { overlap: z.int().min(0).max(31_622_400_000).optional() },
      out: AiKeyCreated,
      once: ["value"],
      isExtension: true,
    },
  ),
  assignKey: op(
    "PATCH /ai/keys/{key_id}/assignments",
    "ai_key_assignments-patch",
    "Move a virtual key to a project or a user",
    { in: { project_id: id.optional(), user_id: id.optional() } },
  ),
  keyCost: op("GET /ai/keys/{key_id}/cost", "ai_key_cost-get", "Read what a virtual key has cost", {
    in: { start: instant.optional(), end: instant.optional() },
    out: AiKeyCost,
  }),
  models: op("GET /ai/models", "ai_models-get", "List the models that the caller may use", {
    in: { list_all: flag.optional(), project: text.optional(), providers: words.optional() },
    out: z.object({ all_available: flag, llms: z.array(z.unknown()) }),
  }),
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
      description: note.optional(),
      llms: z.array(ModelPattern).max(1_000).optional(),
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
    in: { description: note, name: title, tier: text, apply_keys: flag.optional() },
    out: z.array(AiProjectCreated),
  }),
  providers: op("GET /ai/providers", "ai_providers-get", "List the providers that the caller may use", {
    out: z.object({ all_available: flag, providers: z.array(z.unknown()) }),
  }),
};
