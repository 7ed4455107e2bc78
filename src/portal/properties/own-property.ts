import { GatewayError } from "../../engine/errors.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { write } from "../tenancy/record-access.ts";

/** Returns the id of a property at the caller's level. Throws `permission_denied` for a user: properties belong to tenants. */
function idOf({ caller }: PortalCall, property: string): string {
  const { reseller, client_id, user_id } = scopeAt(caller.scope);
  if (user_id !== null)
    throw new GatewayError("permission_denied", "Properties belong to a client or a level above it, not to a user.");
  return JSON.stringify([reseller, client_id, property]);
}

/** A property as it is set. */
interface WantedProperty {
  readonly property: string;
  /** What it was before, unless given. */
  readonly description?: string | undefined;
  readonly value: string;
}

/** Sets a property at the caller's level. */
export async function setOwn({ property, description, value }: WantedProperty, call: PortalCall): Promise<undefined> {
  const id = idOf(call, property);
  const { reseller, client_id } = scopeAt(call.caller.scope);
  const created_at = new Date(call.now).toISOString();
  await write(call.records, "property", {
    id,
    by: (present) => ({
      ...(present ?? { id, created_at, reseller, client_id, property }),
      description: description ?? present?.description ?? "",
      value,
    }),
  });
}

/** Removes a property at the caller's level: the one of the level above counts again. Returns false where there is none. */
export async function removeOwn(property: string, call: PortalCall): Promise<boolean> {
  return (await call.records.remove("property", idOf(call, property))).kind === "removed";
}
