import { GatewayError } from "../../engine/errors.ts";
import { findSimilar } from "../../engine/runtime/did-you-mean.ts";
import type { PortalCalls } from "../../portal/portal.ts";

/** The user with this id or username. Throws `not_found` naming a similar one. */
export async function findUser(calls: PortalCalls, text: string) {
  const users = await calls.users.list({});
  const found = users.find(({ id, username }) => id === text || username.toLowerCase() === text.toLowerCase());
  if (found) return found;
  const similar = findSimilar(
    text,
    users.map(({ username }) => username),
  );
  const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
  throw new GatewayError("not_found", `There is no user with the id or name ${text}.${hint}`);
}

/** A token with its owner. */
export interface OwnedToken {
  readonly username: string;
  readonly token: Awaited<ReturnType<PortalCalls["users"]["tokens"]>>[number];
}

/** The tokens of all users, or of one. */
export async function listTokens(calls: PortalCalls, user: string | undefined): Promise<OwnedToken[]> {
  const users = user === undefined ? await calls.users.list({}) : [await findUser(calls, user)];
  const found: OwnedToken[] = [];
  for (const { id, username } of users) {
    for (const token of await calls.users.tokens({ user_id: id })) found.push({ username, token });
  }
  return found;
}

/** The token with this id, last four characters or name. Throws `not_found`, or `conflict` where several have it. */
export async function findToken(calls: PortalCalls, text: string): Promise<OwnedToken> {
  const all = await listTokens(calls, undefined);
  const byId = all.find(({ token }) => token.id === text);
  const others = all.filter(({ token }) => token.name === text || token.last4 === text);
  const [first, ...rest] = byId ? [byId] : others;
  if (!first) throw new GatewayError("not_found", `There is no token with the id or name ${text}.`);
  if (rest.length === 0) return first;
  const ids = others.map(({ token }) => token.id).join(", ");
  throw new GatewayError("conflict", `${others.length} tokens have the name ${text}; say which by its id: ${ids}.`);
}
