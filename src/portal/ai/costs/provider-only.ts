import { GatewayError } from "../../../engine/errors.ts";
import type { PortalCall } from "../../call/call.ts";

/** Why tenants neither read nor set prices. */
export const priceReason = "Price lists belong to the provider: they hold for all tenants.";

/** Throws `permission_denied`, which says why, for a caller below the provider. */
export function refuseTenants({ caller: { scope } }: PortalCall, reason: string): void {
  if ([scope.reseller, scope.client_id, scope.user_id].every((level) => level === undefined)) return;
  throw new GatewayError("permission_denied", reason);
}
