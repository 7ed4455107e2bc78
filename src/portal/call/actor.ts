import type { AuditEntry } from "../../operations/records/users.ts";
import type { Caller } from "./call.ts";

/** The names of the user and the token of a caller, for the audit log. */
export function actorOf({ user, token_name }: Caller): NonNullable<AuditEntry["actor"]> {
  return { username: user.username, token_name: token_name ?? null };
}
