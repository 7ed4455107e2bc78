import type { StoredUser } from "../../api/portal/users.ts";
import { GatewayError } from "../../errors.ts";

/** Characters of a password (NIST SP 800-63B asks for 8 at least, and 64 at most to be accepted). */
const [shortest, longest] = [12, 256];

/** Throws `invalid_request` for a password that is too short or too long, or that contains the username. */
export function checkPassword(password: string, { username }: Pick<StoredUser, "username">): void {
  const { length } = [...password];
  if (length < shortest || length > longest) throw unfit(`must have ${shortest} to ${longest} characters`);
  if (password.toLowerCase().includes(username.toLowerCase())) throw unfit("must not contain the username");
}

function unfit(problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`password\`: ${problem}.`, { param: "password" });
}
