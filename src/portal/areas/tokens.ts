import type { StoredToken } from "../../api/portal/users.ts";
import { GatewayError } from "../../errors.ts";
import { everyPermission } from "../../operations/permissions.ts";
import type { Token } from "../../operations/portal/users.ts";
import type { AreaTools } from "../area.ts";
import type { PortalCall } from "../call.ts";
import { checkNames, refuseEscalation } from "../escalation.ts";
import { grantsOf } from "../grants.ts";
import type { AreaBackend } from "../regions.ts";
import { add, change, drop, notFound, read, readAll } from "../shelf.ts";
import { mintToken } from "../tokens.ts";

/** The access tokens of users. */
export function tokensArea(tools: AreaTools) {
  return {
    async tokens({ user_id }, { records }) {
      await read(records, "user", user_id);
      return (await readAll(records, "token", { user_id })).map(showToken);
    },
    async createToken({ user_id, name, starts_at, ends_at, permissions = [] }, call) {
      await checkPermissions(tools, call, { user_id, permissions });
      const { reseller, client_id } = await read(call.records, "user", user_id);
      const { value, hash, last4 } = mintToken(tools.entropy(32));
      const dates = readDates(starts_at, ends_at);
      const created_at = new Date(call.now).toISOString();
      const place = { reseller, client_id, user_id };
      const token: StoredToken = {
        id: tools.newId("tok"),
        created_at,
        ...place,
        name,
        ...dates,
        hash,
        last4,
        permissions,
      };
      await add(call.records, "token", token);
      return { ...showToken(token), value };
    },
    async setPermissions({ user_id, token_id, permissions }, call) {
      await readToken(call, user_id, token_id);
      await checkPermissions(tools, call, { user_id, permissions });
      return showToken(
        await change(call.records, "token", { id: token_id, by: (token) => ({ ...token, permissions }) }),
      );
    },
    async revokeToken({ user_id, token_id }, call) {
      await readToken(call, user_id, token_id);
      await drop(call.records, "token", token_id);
    },
  } satisfies AreaBackend<"users">;
}

async function readToken({ records }: PortalCall, userId: string, id: string): Promise<StoredToken> {
  const token = await read(records, "token", id);
  if (token.user_id !== userId) throw notFound("token", id);
  return token;
}

interface Gift {
  readonly user_id: string;
  readonly permissions: readonly string[];
}

/** A token holds nothing that its owner does not have, and a caller gives nothing that it does not have itself; `*` is all the owner's. */
async function checkPermissions(tools: AreaTools, call: PortalCall, { user_id, permissions }: Gift): Promise<void> {
  const owner = await read(call.records, "user", user_id);
  checkNames(permissions);
  const granted = await grantsOf(owner, tools.records, tools.grantors);
  const given = permissions.includes(everyPermission) ? [...granted] : permissions;
  refuseEscalation(given, granted, `the user \`${owner.username}\``);
  refuseEscalation(given, call.caller.permissions, "the caller");
}

function readDates(start: string | undefined, end: string | undefined) {
  const starts_at = start === undefined ? null : new Date(start).toISOString();
  const ends_at = end === undefined ? null : new Date(end).toISOString();
  if (starts_at !== null && ends_at !== null && ends_at <= starts_at)
    throw new GatewayError("invalid_request", "`ends_at`: must come after `starts_at`.", { param: "ends_at" });
  return { starts_at, ends_at };
}

function showToken({ hash: _secret, permissions, ...token }: StoredToken): Token {
  return { ...token, permissions: [...permissions] };
}
