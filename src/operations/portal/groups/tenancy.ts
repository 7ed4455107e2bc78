import { Budget, ProviderConfig, RateLimit } from "../../../api/governance.ts";
import * as ai from "../ai.ts";
import * as keypair from "../keypair.ts";
import * as profiles from "../profiles.ts";
import * as quotas from "../quotas.ts";
import * as aiResources from "../resources/ai.ts";
import * as tasks from "../tasks.ts";
import * as users from "../users.ts";

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
  ...aiResources,
  ...keypair,
  ...profiles,
  ...quotas,
  ...tasks,
  ...users,
};
