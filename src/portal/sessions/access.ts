import { type SessionOperations, sessions as sessionOperations } from "../../operations/portal/sessions.ts";
import type { PortalDeps } from "../area.ts";
import type { Caller } from "../call/call.ts";
import { createLocalize, type Localize } from "../i18n/error-texts.ts";
import { type Authenticate, callerOf, createAuthenticator, createReady } from "../identity/authenticator.ts";
import type { PortalOptions } from "../options.ts";
import { type Boot, createBoot } from "./boot.ts";
import { createLogins, type ProviderLogins } from "./logins/logins.ts";
import { type ConsoleSessions, createSessions } from "./sessions.ts";
import { createSignInCodes, type SignInCodes } from "./sign-in-codes.ts";

/** How callers become known to a portal. */
interface PortalAccess {
  /** Resolves when the tokens of older versions have been adopted. */
  ready(): Promise<void>;
  readonly authenticate: Authenticate;
  readonly sessionOperations: SessionOperations;
  readonly sessions: ConsoleSessions;
  readonly logins: ProviderLogins;
  readonly issueSignInCode: SignInCodes["issue"];
  readonly boot: Boot;
  readonly localize: Localize;
  callerOf(userId: string): Promise<Caller>;
}

/** What of a portal's options its access is opened with. */
type AccessSettings = Pick<PortalOptions, "version" | "logins">;

/** Opens the access to a portal. */
export function openAccess(deps: PortalDeps, { version = "", logins: providers = [] }: AccessSettings): PortalAccess {
  const { engine, records, clock, permissionSources, regions } = deps;
  const ready = createReady(deps);
  const codes = createSignInCodes(deps);
  const sessions = createSessions(deps, codes);
  const logins = createLogins(deps, sessions, providers);
  const authenticate = createAuthenticator({ records, clock, permissionSources, keyPrefix: engine.keyPrefix });
  return {
    ready,
    authenticate: (value) => ready().then(() => authenticate(value)),
    sessionOperations,
    sessions,
    logins,
    issueSignInCode: codes.issue,
    boot: createBoot({ records, regions, version, oidc: [...logins.offered] }),
    localize: createLocalize(records),
    callerOf: (userId) => callerOf(userId, records, permissionSources),
  };
}
