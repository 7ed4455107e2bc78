import { GatewayError } from "../../../engine/errors.ts";
import type { LoginFlow, LoginProvider } from "../../../engine/ports/identity/login-provider.ts";
import type { SessionDeps } from "../callers.ts";
import type { ConsoleSessions, LoginSource, OpenedSession } from "../sessions.ts";
import { findUser } from "./match.ts";

/** A login that has begun: where the browser goes, and what it must bring back. */
export interface BegunLogin {
  readonly address: string;
  readonly flow: LoginFlow;
}

/** What a browser came back with from a provider. */
export interface ReturnedLogin {
  readonly name: string;
  /** What the login began with, from the browser's own cookie. */
  readonly flow: LoginFlow;
  /** The query of the address, undecoded. */
  readonly query: string;
}

/** Logins at OpenID providers. */
export interface ProviderLogins {
  /** The providers that the sign-in page has a button for. */
  readonly offered: readonly { readonly name: string; readonly label: string }[];
  /** Throws `not_found` for an unknown provider and `upstream_unreachable`. */
  begin(name: string, redirectUri: string): Promise<BegunLogin>;
  /**
   * Opens the session of the user whom the provider names. Throws `token_not_found` for a login that is not valid, `permission_denied` where
   * no user is meant, and `request_limited`.
   */
  finish(returned: ReturnedLogin, source: LoginSource): Promise<OpenedSession>;
}

/** Returns the logins at these providers. A second factor is the provider's matter: one-time codes of the portal are not asked for. */
export function createLogins(
  { records, entropy }: Pick<SessionDeps, "records" | "entropy">,
  sessions: Pick<ConsoleSessions, "open">,
  providers: readonly LoginProvider[],
): ProviderLogins {
  const find = (name: string): LoginProvider => {
    const provider = providers.find((each) => each.name === name);
    if (provider) return provider;
    throw new GatewayError("not_found", `There is no login provider \`${name}\`.`, { param: "name" });
  };
  const secret = () => Buffer.from(entropy(32)).toString("base64url");
  return {
    offered: providers.map(({ name, label }) => ({ name, label })),
    async begin(name, redirectUri) {
      const flow = { redirectUri, state: secret(), nonce: secret(), verifier: secret() };
      return { address: await find(name).begin(flow), flow };
    },
    finish({ name, flow, query }, source) {
      const provider = find(name);
      return sessions.open(source, async () => {
        const user = await findUser(records, provider, await provider.finish(flow, query));
        if (user) return user.id;
        const message =
          "No user of this gateway has the verified address or name of this account. Ask who administers it for an invitation.";
        throw new GatewayError("permission_denied", message, { param: "user" });
      });
    },
  };
}
