import type { StoredRole, StoredToken, StoredUser } from "../operations/records/users.ts";
import type { PortalDeps } from "./area.ts";
import { storeGiver } from "./call/operator.ts";
import { mintToken } from "./identity/authenticator.ts";
import { hashUsername } from "./identity/user-scope.ts";
import { everyPermission } from "./permissions.ts";
import { add } from "./tenancy/record-access.ts";

/** The user and token of the first start. The token's value is shown only this once. */
export interface FirstStart {
  readonly username: string;
  readonly token: string;
}

/** The provider-level user of the first start, and the role that lets it do everything. */
export const firstUser = { id: "usr_admin", username: "admin" } as const;
const administrator = "role_administrator";

/**
 * Creates a provider-level user and one token with every permission where there is no user yet (portal-resolved.md, section 2). Returns
 * undefined where there is one. Of several processes that start at once, one does it.
 */
export async function startFirst({
  records,
  clock,
  entropy,
  newId,
}: Pick<PortalDeps, "records" | "clock" | "entropy" | "newId">): Promise<FirstStart | undefined> {
  if ((await records.count("user")) > 0) return undefined;
  const common = { created_at: new Date(clock.now()).toISOString(), reseller: null, client_id: null };
  const role: StoredRole = { ...common, id: administrator, name: "Administrator", permissions: [everyPermission] };
  await records.put("role", role, 0); // another process may have stored the same
  const { id, username } = firstUser;
  const user: StoredUser = {
    ...common,
    id,
    user_id: id,
    level: "provider",
    username,
    hash: hashUsername(username),
    enabled: true,
    roles: [role.id],
  };
  if ((await records.put("user", user, 0)).kind !== "stored") return undefined;
  const { value, hash, last4 } = mintToken(entropy(32));
  const dates = { starts_at: null, ends_at: null };
  const token: StoredToken = {
    ...common,
    ...dates,
    id: newId("tok"),
    user_id: id,
    hash,
    last4,
    name: "first start",
    permissions: [everyPermission],
    giver: storeGiver,
  };
  await add(records, "token", token);
  return { username, token: value };
}
