import type { LoginClaims, LoginProvider } from "../../../engine/ports/identity/login-provider.ts";
import type { Records } from "../../../engine/ports/records.ts";
import type { StoredUser } from "../../../operations/records/users.ts";
import { hashUsername } from "../../identity/user-scope.ts";

/** Users whose fields hold an address, of which one has just this one. */
const mostFound = 1_000;

/**
 * The user that the claims of a provider mean, if there is one, it is enabled and of the provider's tenant. By address: one that
 * the provider says is verified, and that one such user alone has; two users of one address are none.
 */
export async function findUser(
  records: Pick<Records, "findByHash" | "list">,
  { match, tenant }: Pick<LoginProvider, "match" | "tenant">,
  claims: LoginClaims,
): Promise<StoredUser | undefined> {
  const found = await (match === "email" ? byAddress(records, claims) : byName(records, claims));
  const users = found.filter((user) => user.enabled && isOf(user, tenant));
  return users.length === 1 ? users[0] : undefined;
}

async function byName(records: Pick<Records, "findByHash">, { username }: LoginClaims): Promise<readonly StoredUser[]> {
  const found = username === undefined ? undefined : await records.findByHash("user", hashUsername(username));
  return found ? [found.record] : [];
}

async function byAddress(
  records: Pick<Records, "list">,
  { email, isEmailVerified }: LoginClaims,
): Promise<readonly StoredUser[]> {
  if (email === undefined || !isEmailVerified) return [];
  const address = email.toLowerCase();
  const { records: near } = await records.list("user", { search: email, limit: mostFound });
  if (near.length === mostFound) return []; // there may be another behind them
  return near.map(({ record }) => record).filter((user) => user.email?.toLowerCase() === address);
}

function isOf({ reseller, client_id }: StoredUser, tenant: string | undefined): boolean {
  if (tenant === undefined) return true;
  const [ofReseller, ...ofClient] = tenant.split("/");
  return reseller === ofReseller && (ofClient.length === 0 || client_id === ofClient.join("/"));
}
