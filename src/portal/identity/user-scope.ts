import { hash } from "node:crypto";
import { GatewayError } from "../../engine/errors.ts";
import type { Level, StoredUser } from "../../operations/records/users.ts";
import { type TenantScope, toScope } from "../tenancy/tenant-scope.ts";

/** Returns the hash by which a username is found. Letter case does not matter. */
export function hashUsername(username: string): string {
  return hash("sha256", username.toLowerCase(), "hex");
}

/** Returns the scope of a user in the tree of tenants. */
export function scopeOfUser({ level, reseller, client_id, id }: StoredUser): TenantScope {
  return { ...toScope({ reseller, client_id }), ...(level === "user" ? { user_id: id } : {}) };
}

/** The level and tenant of a new user. */
export interface UserPosition {
  readonly level: Level;
  readonly reseller: string | null;
  readonly client_id: string | null;
}

/** The level and tenant that a caller names for a new user. */
interface UserScopeInput {
  readonly level?: Level | undefined;
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
}

/**
 * Returns the position of a new user; an absent field is the caller's own. Without a level, a user of a client is a `user`, a user of a
 * reseller is at the `reseller` level, and any other at the `provider` level. Throws `invalid_request` where level and tenant do not match.
 */
export function positionOf(request: UserScopeInput, caller: TenantScope): UserPosition {
  const reseller = request.reseller ?? caller.reseller ?? null;
  const client_id = request.client_id ?? caller.client_id ?? null;
  if (client_id !== null && reseller === null) throw outOfScope("reseller", "is required with `client_id`");
  const level = request.level ?? (client_id !== null ? "user" : reseller !== null ? "reseller" : "provider");
  const depth = { provider: 0, reseller: 1, client: 2, user: 2 }[level];
  const levelCount = (reseller === null ? 0 : 1) + (client_id === null ? 0 : 1);
  if (levelCount !== depth) throw outOfScope("level", `\`${level}\` requires ${needs[depth] ?? "its scope"}`);
  return { level, reseller, client_id };
}

const needs = ["neither `reseller` nor `client_id`", "`reseller` without `client_id`", "`reseller` and `client_id`"];

function outOfScope(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
