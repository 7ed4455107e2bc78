import * as ai from "./ai/ai.ts";
import { aiSchemas } from "./ai/schemas.ts";
import * as keypair from "./keypair.ts";
import * as profiles from "./profiles.ts";
import * as quotas from "./quotas.ts";
import * as tasks from "./tasks.ts";
import * as tenants from "./tenants.ts";
import * as users from "./users.ts";

/** The areas about who may do and spend what. */
export const tenancy = {
  ai: ai.ai,
  keypair: keypair.keypair,
  profiles: profiles.profiles,
  quotas: quotas.quotas,
  tasks: tasks.tasks,
  tenants: tenants.tenants,
  users: users.users,
};

/** Their resources by name. */
export const tenancySchemas: Readonly<Record<string, unknown>> = {
  ...aiSchemas,
  KeypairRecord: keypair.KeypairRecord,
  Profile: profiles.Profile,
  ProfileTreeNode: profiles.ProfileTreeNode,
  ProfileEntry: profiles.ProfileEntry,
  ProfileDashboard: profiles.ProfileDashboard,
  QuotaRow: quotas.QuotaRow,
  Task: tasks.PortalTask,
  TaskStep: tasks.TaskStep,
  TaskSchedule: tasks.TaskSchedule,
  Tenant: tenants.PortalTenant,
  User: users.User,
  Role: users.Role,
  Token: users.PortalToken,
  TokenCreated: users.TokenCreated,
  PasswordLink: users.PasswordLink,
  PermissionEntry: users.PermissionEntry,
  AuditRecord: users.AuditRecord,
};
