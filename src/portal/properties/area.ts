import type { StoredProperty } from "../../api/portal/settings.ts";
import { GatewayError } from "../../errors.ts";
import type { Property } from "../../operations/portal/console/properties.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { readAll, write } from "../tenancy/record-access.ts";

/** Settings: the nearest level wins, provider → reseller → client (portal-resolved.md, section 6). */
export function propertiesArea(): AreaBackend<"properties"> {
  return {
    async list(_input, call) {
      const nearest = new Map<string, Property>();
      for (const { property, description, value } of await call.listAbove("property")) {
        nearest.set(property, { property, description, value, inherited: true });
      }
      for (const { property, description, value } of (await readAll(call.records, "property")).filter(isOwn(call))) {
        nearest.set(property, { property, description, value, inherited: false });
      }
      return [...nearest.values()];
    },
    async set({ property, description, value }, call) {
      const { reseller, client_id, user_id } = scopeAt(call.caller.scope);
      if (user_id !== null)
        throw new GatewayError(
          "permission_denied",
          "Properties belong to a client or a level above it, not to a user.",
        );
      const id = JSON.stringify([reseller, client_id, property]);
      const created_at = new Date(call.now).toISOString();
      await write(call.records, "property", {
        id,
        by: (present) => ({ ...(present ?? { id, created_at, reseller, client_id, property }), description, value }),
      });
    },
  };
}

/** Returns a test for the properties of the caller's own level, not below it. */
function isOwn({ caller: { scope } }: PortalCall) {
  const own = scopeAt(scope);
  return ({ reseller, client_id }: StoredProperty) => reseller === own.reseller && client_id === own.client_id;
}
