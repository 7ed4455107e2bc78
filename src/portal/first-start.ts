import type { StoredRole, StoredToken, StoredUser } from "../api/portal/users.ts";
import { everyPermission } from "../operations/permissions.ts";
import type { AreaTools } from "./area.ts";
import { add } from "./shelf.ts";
import { mintToken } from "./tokens.ts";
import { hashUsername } from "./user.ts";

/** What the very first start has made. The token's value is shown this once. */
export interface FirstStart {
  readonly username: string;
  readonly token: string;
}

/** The provider-level user of the first start, and the role that lets it do everything. */
const firstUser = { id: "usr_admin", username: "admin" } as const;
const administrator = "role_administrator";

/**
 * Makes a provider-level user and one token with every permission where there is no user yet (portal-resolved.md, section 2); undefined
 * where there is. Of several processes that start at once, one does it.
 */
export async function startFirst({
  records,
  clock,
  entropy,
  newId,
}: Pick<AreaTools, "records" | "clock" | "entropy" | "newId">): Promise<FirstStart | undefined> {
  if ((await records.count("user")) > 0) return undefined;
  const common = { created_at: new Date(clock.now()).toISOString(), reseller: null, client_id: null };
  const role: StoredRole = { ...common, id: administrator, name: "Administrator", permissions: [everyPermission] };
  await records.put("role", role, 0); // another process may have put the same
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
  };
  await add(records, "token", token);
  return { username, token: value };
}
