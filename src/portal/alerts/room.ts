import { GatewayError } from "../../engine/errors.ts";
import { type PortalCall, scopeAt } from "../call/call.ts";
import { readAll } from "../tenancy/record-access.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";

/** What there may be at one place in the tree of tenants. */
interface Room {
  readonly kind: "alert_rule" | "alert_channel";
  readonly most: number;
}

/** Throws `conflict` where the caller's place has as many of a kind as it may have; those of places below do not count. */
export async function checkRoom({ records, caller }: PortalCall, { kind, most }: Room): Promise<void> {
  const depth = depthOf(scopeAt(caller.scope));
  const own = (await readAll(records, kind)).filter((record) => depthOf(record) === depth);
  if (own.length < most) return;
  const what = kind === "alert_rule" ? "alert rules" : "alert channels";
  throw new GatewayError("conflict", `There are ${most} ${what} at this place already, which is the most.`);
}
