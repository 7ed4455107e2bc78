import { GatewayError } from "../../engine/errors.ts";
import type { PortalDeps } from "../area.ts";
import { firstUser } from "../first-start.ts";
import { hashSession } from "./session.ts";

/** A code that signs a user in once. The value is shown only here. */
export interface SignInCode {
  readonly code: string;
  readonly username: string;
  /** RFC 3339 in UTC. */
  readonly ends_at: string;
}

/** The codes of this process: the store has none, so they end with it. */
export interface SignInCodes {
  /** Makes a code for the first user; the one of before is worth nothing from then on. Undefined where the first user is gone, disabled, or has a password or one-time codes. */
  issue(): Promise<SignInCode | undefined>;
  /**
   * Returns the user of a code and forgets it. Rejects with `token_not_found` for a code that is unknown, used or past its end, and where the
   * user has got another way in since.
   */
  take(code: string): Promise<string>;
}

/** How long a code is good: a person opens it from the terminal that printed it. */
const lifeMs = 10 * 60_000;

/** Returns the one-time codes by which the operator of a new gateway signs in without copying a token. */
export function createSignInCodes({
  records,
  clock,
  entropy,
}: Pick<PortalDeps, "records" | "clock" | "entropy">): SignInCodes {
  let current: { readonly hash: string; readonly userId: string; readonly endsAt: number } | undefined;
  return {
    async issue() {
      const user = await mayStart(records);
      if (!user) return undefined;
      const code = Buffer.from(entropy(32)).toString("base64url");
      const endsAt = clock.now() + lifeMs;
      current = { hash: hashSession(code), userId: user.id, endsAt };
      return { code, username: user.username, ends_at: new Date(endsAt).toISOString() };
    },
    async take(code) {
      const known = current;
      if (known?.hash !== hashSession(code)) throw unknownCode();
      current = undefined; // before anything is awaited: of two calls at once one finds it
      if (clock.now() >= known.endsAt || !(await mayStart(records))) throw unknownCode();
      return known.userId;
    },
  };
}

/**
 * Returns the first user while it has no other way to sign in than a token. Once it has a password or one-time codes, a link would go
 * around them.
 */
async function mayStart(records: PortalDeps["records"]) {
  const user = (await records.get("user", firstUser.id))?.record;
  if (!user?.enabled || (await records.get("password", user.id)) || (await records.get("totp", user.id)))
    return undefined;
  return user;
}

function unknownCode(): GatewayError {
  const message =
    "The sign-in link was used already or has ended. Start the gateway again for a new one, or use an access token.";
  return new GatewayError("token_not_found", message, { param: "code" });
}
