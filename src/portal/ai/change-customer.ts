import type { Customer } from "../../engine/api/governance.ts";
import { GatewayError } from "../../engine/errors.ts";
import { patchRecord } from "../../engine/policy/drafts.ts";
import type { InputOf } from "../../operations/calls.ts";
import type { Areas } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { change, read } from "../tenancy/record-access.ts";
import { tenantOf } from "../tenancy/tenant.ts";
import { boundCeilings } from "./settings.ts";
import { warnUnknown } from "./unknown-models.ts";

/** What a level above gives to a customer. */
const limitingFields = ["active", "budgets", "rate_limits", "llms", "mcp_configs"] as const;

/** Changes a customer. Throws `permission_denied` for what a level above has given to the tenant of the caller. */
export async function changeCustomer(
  deps: PortalDeps,
  { customer_id, ...changes }: InputOf<Areas["ai"]["changeCustomer"]>,
  call: PortalCall,
): Promise<undefined> {
  refuseOwn(await read(call.records, "customer", customer_id), changes, call);
  const by = (customer: Customer) => {
    const mcp_configs = boundCeilings(customer, changes.mcp_configs, call);
    return patchRecord(customer, { ...changes, mcp_configs }, call.now);
  };
  await change(call.records, "customer", { id: customer_id, by });
  warnUnknown(deps, changes, call);
}

/** A tenant does not widen, or lift, what a level above has given to it. */
function refuseOwn(
  { metadata }: Customer,
  changes: { readonly [Field in (typeof limitingFields)[number]]?: unknown },
  { caller: { scope } }: PortalCall,
): void {
  const { reseller, client_id } = tenantOf(metadata);
  if (scope.reseller === undefined || scope.reseller !== reseller || scope.client_id !== client_id) return;
  const field = limitingFields.find((name) => changes[name] !== undefined);
  if (field === undefined) return;
  const message = `\`${field}\`: is given to your tenant by a level above, which alone can change it.`;
  throw new GatewayError("permission_denied", message, { param: field });
}
