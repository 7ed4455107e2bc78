import { Budget, ProviderConfig, RateLimit } from "../../../api/governance.ts";
import * as ai from "./ai.ts";
import * as aiResources from "./ai-resources.ts";
import * as keypair from "./keypair.ts";
import * as profiles from "./profiles.ts";
import * as quotas from "./quotas.ts";
import * as tasks from "./tasks.ts";
import * as users from "./users.ts";

/** The areas about who may do and spend what. */
export const tenancy = {
  ai: ai.ai,
  keypair: keypair.keypair,
  profiles: profiles.profiles,
  quotas: quotas.quotas,
  tasks: tasks.tasks,
  users: users.users,
};

/** Their resources by name. */
export const tenancySchemas: Readonly<Record<string, unknown>> = {
  Budget,
  ProviderConfig,
  RateLimit,
  AiCostRates: aiResources.PortalAiCostRates,
  AiCustomer: aiResources.AiCustomer,
  AiKey: aiResources.AiKey,
  AiKeyDetail: aiResources.AiKeyDetail,
  AiKeyBrief: aiResources.AiKeyBrief,
  AiKeyCost: aiResources.AiKeyCost,
  AiProjectCost: aiResources.AiProjectCost,
  AiProject: aiResources.AiProject,
  AiProjectCreated: aiResources.AiProjectCreated,
  AiProjectUser: aiResources.AiProjectUser,
  AiKeyCreated: aiResources.AiKeyCreated,
  KeypairRecord: keypair.KeypairRecord,
  Profile: profiles.Profile,
  ProfileTreeNode: profiles.ProfileTreeNode,
  ProfileEntry: profiles.ProfileEntry,
  ProfileDashboard: profiles.ProfileDashboard,
  QuotaRow: quotas.QuotaRow,
  Task: tasks.PortalTask,
  TaskStep: tasks.TaskStep,
  User: users.User,
  Role: users.Role,
  Token: users.PortalToken,
  TokenCreated: users.TokenCreated,
  PermissionEntry: users.PermissionEntry,
  AuditRecord: users.AuditRecord,
};
