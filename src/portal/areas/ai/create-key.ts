import type { InputOf } from "../../../operations/calls.ts";
import type { AiKeyCreated } from "../../../operations/portal/resources/ai.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import { present } from "../../../policy/record.ts";
import type { AreaTools } from "../../area.ts";
import type { PortalCall } from "../../call.ts";
import { findCustomer } from "./customer.ts";
import { readKeyProject, readUser } from "./find.ts";
import { readBrief } from "./show-key.ts";
import { findTier } from "./tariff.ts";
import { type Tenant, tagsOf, tenantOf } from "./tenant.ts";
import { termsOf } from "./terms.ts";

type Draft = InputOf<Areas["ai"]["createKey"]>;

/** Makes a virtual key by a tier, in a project or else of the caller's own tenant. The value is in this answer and nowhere else. */
export async function createKey(tools: AreaTools, draft: Draft, call: PortalCall): Promise<AiKeyCreated> {
  const { project_id, user_bound, name, description } = draft;
  const project =
    project_id === undefined ? undefined : await readKeyProject(tools, call, { id: project_id, param: "project_id" });
  const tenant = tenantOf(project?.metadata ?? call.caller.place);
  const tier = findTier(tools.tariff, tenant, draft.tier);
  const user = await userOf(draft, call, tenant);
  const customer_id = project ? undefined : await findCustomer(tools, tenant, call.now);
  const { key, value } = await tools.engine.keys.create({
    name,
    description,
    metadata: { ...tagsOf(tenant), tier: tier.name },
    ...present({ project_id, customer_id, user }),
    ...(user_bound ? { user_bound } : {}),
    ...termsOf(tier, project),
  });
  return { ...(await readBrief(tools, key)), value };
}

/**
 * Whose the key is: the given user's; the caller's, when it is bound to a user or the caller has no keys but its own; else no one's.
 * Throws `not_found` for who is no user, as the operator: a key that is bound to nobody could never be used.
 */
async function userOf({ user, user_bound }: Draft, call: PortalCall, tenant: Tenant): Promise<string | undefined> {
  const { caller } = call;
  const own = user_bound || caller.place.user_id !== undefined ? caller.user.id : undefined;
  const id = user ?? own;
  return id === undefined ? undefined : (await readUser(call, { id, param: "user" }, tenant)).id;
}
