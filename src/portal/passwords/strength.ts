import { GatewayError } from "../../engine/errors.ts";
import type { StoredUser } from "../../operations/records/users.ts";

/** Throws `invalid_request` for a password that contains the username. */
export function checkPassword(password: string, { username }: Pick<StoredUser, "username">): void {
  if (!password.toLowerCase().includes(username.toLowerCase())) return;
  throw new GatewayError("invalid_request", "`password`: must not contain the username.", { param: "password" });
}
