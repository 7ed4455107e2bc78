import { present, refusePastDates } from "../../../engine/policy/drafts.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiKeyCreated } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { findTier } from "../../tariff/tariff.ts";
import { type Tenant, tagsOf, tenantOf } from "../../tenancy/tenant.ts";
import { findCustomer } from "../customer.ts";
import { readCustomer, readKeyProject, readUser } from "../find.ts";
import { settingsOfNewKey } from "./own-settings.ts";
import { keysIn } from "./rotate-key.ts";
import { readBrief } from "./show-key.ts";

type KeyInput = InputOf<Areas["ai"]["createKey"]>;

/** Creates a virtual key from a tier, in a project or else for the caller's own tenant. Only this answer contains the key's value. */
export async function createKey(deps: PortalDeps, draft: KeyInput, call: PortalCall): Promise<AiKeyCreated> {
  const { project_id, user_bound, name, description, starts_at, expires_at, timeouts, ...own } = draft;
  refusePastDates({ starts_at, expires_at }, call.now);
  const project =
    project_id === undefined ? undefined : await readKeyProject(deps, call, { id: project_id, param: "project_id" });
  const tenant = tenantOf(project?.metadata ?? call.caller.scope);
  const tier = findTier(deps.tariff, tenant, draft.tier);
  const user = await userOf(draft, call, tenant);
  const customer_id = project ? undefined : await findCustomer(call, tenant);
  const customer = await readCustomer(deps, project?.customer_id ?? customer_id);
  const tags = { ...tagsOf(tenant), tier: tier.name };
  const { metadata, settings } = settingsOfNewKey(deps, { tier, project, customer, tags }, { own, call });
  const { key, value } = await keysIn(deps, call).create({
    name,
    description,
    metadata,
    ...present({ project_id, customer_id, user, starts_at, expires_at, timeouts }),
    ...(user_bound ? { user_bound } : {}),
    ...settings,
  });
  return { ...(await readBrief(deps, key)), value };
}

/**
 * Returns the key's user: the named one; the caller, when the key is bound to a user or the caller sees its own keys only; else none.
 * Throws `not_found` for an unknown user, such as the operator: a key bound to no user could never be used.
 */
async function userOf({ user, user_bound }: KeyInput, call: PortalCall, tenant: Tenant): Promise<string | undefined> {
  const { caller } = call;
  const own = user_bound || caller.scope.user_id !== undefined ? caller.user.id : undefined;
  const id = user ?? own;
  return id === undefined ? undefined : (await readUser(call, { id, param: "user" }, tenant)).id;
}
