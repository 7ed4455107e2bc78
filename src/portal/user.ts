import { hash } from "node:crypto";
import type { Level, StoredUser } from "../api/portal/users.ts";
import { GatewayError } from "../errors.ts";
import type { Place, Placed } from "./scope.ts";

/** What usernames are found by; letter case does not tell users apart. */
export function hashUsername(username: string): string {
  return hash("sha256", username.toLowerCase(), "hex");
}

/** The place of a user in the tree of tenants. */
export function placeOfUser({ level, reseller, client_id, id }: StoredUser): Place {
  return { ...toPlace({ reseller, client_id }), ...(level === "user" ? { user_id: id } : {}) };
}

/** A record's place as a place of its own: what covers all that lies below it. */
export function toPlace({ reseller, client_id, user_id }: Placed): Place {
  const given = Object.entries({ reseller, client_id, user_id }).filter(
    ([, level]) => (level ?? undefined) !== undefined,
  );
  return Object.fromEntries(given);
}

/** Where a new user stands. */
export interface Standing {
  readonly level: Level;
  readonly reseller: string | null;
  readonly client_id: string | null;
}

/** What a caller asks for of a new user's place. */
interface Wish {
  readonly level?: Level | undefined;
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
}

/**
 * Where a new user stands: what is not said is the caller's own place. Without a level, a user of a client is a `user`, one of a
 * reseller stands at the `reseller` level, any other at the `provider`'s. Throws `invalid_request` where level and place do not fit.
 */
export function standAt(wish: Wish, caller: Place): Standing {
  const reseller = wish.reseller ?? caller.reseller ?? null;
  const client_id = wish.client_id ?? caller.client_id ?? null;
  if (client_id !== null && reseller === null) throw misplaced("reseller", "is needed with `client_id`");
  const level = wish.level ?? (client_id !== null ? "user" : reseller !== null ? "reseller" : "provider");
  const depth = { provider: 0, reseller: 1, client: 2, user: 2 }[level];
  const given = (reseller === null ? 0 : 1) + (client_id === null ? 0 : 1);
  if (given !== depth) throw misplaced("level", `\`${level}\` needs ${needs[depth] ?? "its place"}`);
  return { level, reseller, client_id };
}

const needs = ["neither `reseller` nor `client_id`", "`reseller` without `client_id`", "`reseller` and `client_id`"];

function misplaced(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\`: ${problem}.`, { param });
}
