import { GatewayError } from "../../engine/errors.ts";
import { hashKey, isSameHash, tokenPrefix } from "../../engine/policy/key.ts";
import type { Credentials } from "../../operations/portal/sessions.ts";
import type { StoredSession } from "../../operations/records/sessions.ts";
import type { PortalDeps } from "../area.ts";
import { callerOf, callerOfToken } from "../identity/authenticator.ts";
import { createCallerCache, type KnownCaller, refuseToken } from "../identity/caller-cache.ts";
import { useCode } from "../passwords/totp.ts";
import type { SignInCodes } from "./sign-in-codes.ts";

/** The dependencies of sessions. The records are those of all tenants. */
export type SessionDeps = Pick<
  PortalDeps,
  "records" | "clock" | "entropy" | "newId" | "permissionSources" | "passwords" | "secrets"
>;

/** The callers behind credentials and sessions. */
export interface SessionCallers {
  /** Throws `token_not_found`, the errors of a token's dates, or `request_limited`. */
  ofCredentials(credentials: Credentials, now: number): Promise<KnownCaller>;
  /** Throws `token_not_found` for a user who is gone or disabled. */
  ofUser(id: string): Promise<KnownCaller>;
  /** Undefined where the session's token or user is gone, disabled or past its end. */
  ofSession(session: StoredSession, now: number): Promise<KnownCaller | undefined>;
}

/** Returns the callers behind credentials and sessions, with the permissions that they have now. */
export function createSessionCallers(deps: SessionDeps, codes: Pick<SignInCodes, "take">): SessionCallers {
  const { records, permissionSources, passwords } = deps;
  const cached = createCallerCache(records);
  const ofUser = async (id: string): Promise<KnownCaller | undefined> => {
    if (!(await records.get("user", id))?.record.enabled) return undefined;
    return { token: null, caller: await callerOf(id, records, permissionSources) };
  };
  const knownUser = async (id: string | undefined): Promise<KnownCaller> => {
    const known = id === undefined ? undefined : await ofUser(id);
    if (known) return known;
    throw refused();
  };
  return {
    ofUser: knownUser,
    async ofCredentials(credentials, now) {
      if ("token" in credentials) return ofToken(deps, credentials.token, now);
      if ("code" in credentials) return knownUser(await codes.take(credentials.code));
      const user = await passwords.find(credentials.username, credentials.password, now);
      const known = await knownUser(user?.id);
      await requireCode(deps, known.caller.user.id, { otp: credentials.otp, now });
      return known;
    },
    async ofSession({ token_id, user_id }, now) {
      if (token_id === null) return cached(`user ${user_id}`, () => ofUser(user_id));
      const known = await cached(`token ${token_id}`, () => callerOfToken(deps, token_id));
      return known?.token && !refuseToken(known.token, now) ? known : undefined;
    },
  };
}

/** Checks the one-time code of a user who has confirmed such codes. Throws `token_not_found` with `param` `otp`, or `request_limited`. */
async function requireCode(
  deps: SessionDeps,
  id: string,
  { otp, now }: { readonly otp: string | undefined; readonly now: number },
): Promise<void> {
  if (!(await deps.records.get("totp", id))?.record.confirmed_at) return;
  if (otp !== undefined && (await useCode(deps, id, { otp, now }))) return;
  const message = otp === undefined ? "The login needs a one-time code in `otp`." : "The one-time code is not valid.";
  throw new GatewayError("token_not_found", message, { param: "otp" });
}

async function ofToken(deps: SessionDeps, value: string, now: number): Promise<KnownCaller> {
  const hash = hashKey(value, tokenPrefix);
  const found = await deps.records.findByHash("token", hash);
  const known = found && isSameHash(found.record.hash, hash) ? await callerOfToken(deps, found.record.id) : undefined;
  if (!known?.token) throw refused();
  const refusal = refuseToken(known.token, now);
  if (refusal) throw refusal;
  return known;
}

/** A login is refused with one message, whatever of it was wrong: it does not show which users exist. */
function refused(): GatewayError {
  const message = "The login failed: the access token, or the username and password, are not valid.";
  return new GatewayError("token_not_found", message);
}
