import { GatewayError } from "../../src/engine/errors.ts";
import type { LoginClaims, LoginFlow, LoginProvider } from "../../src/engine/ports/identity/login-provider.ts";
import { type Checks, flag, list, oneOf, text } from "../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../shared/options.ts";

/** An OpenID provider. */
export interface OidcOptions {
  /** Stands in the address that the provider sends browsers back to: `<publicUrl>/session/oidc/<name>/return`. */
  readonly name: string;
  /** What the button of the sign-in page says; the name unless given. */
  readonly label?: string | undefined;
  /** The issuer's address, which has `/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  /** `openid`, `email` and `profile` unless given. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * How a user of the portal is found. `email` (default): by the address, which the provider must say is verified. `username`: by the claim
   * in `usernameClaim`, which the provider must give to one person only.
   */
  readonly match?: "email" | "username" | undefined;
  /** The claim that is a username; `preferred_username` unless given. */
  readonly usernameClaim?: string | undefined;
  /** Only users of this tenant log in here: `reseller` or `reseller/client`. */
  readonly tenant?: string | undefined;
  /** Allows an issuer over plain HTTP, which anybody on the way can read; only for tests on one machine. */
  readonly allowHttp?: boolean | undefined;
}

const isName = (value: unknown) => typeof value === "string" && /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/.test(value);

const checks: Checks<OidcOptions> = {
  name: [isName, "lower-case letters, digits and `-`, at most 32"],
  label: text,
  issuer: [(value) => typeof value === "string" && /^https?:\/\//.test(value) && URL.canParse(value), "an address"],
  clientId: text,
  clientSecret: text,
  scopes: list,
  match: oneOf("email", "username"),
  usernameClaim: text,
  tenant: text,
  allowHttp: flag,
};

/** Milliseconds that the provider may take for one answer. */
const timeoutMs = 10_000;

/** A login at an OpenID provider, by the authorization code flow with PKCE; the provider is discovered with the first login. */
export function oidc(options: OidcOptions): LoginProvider {
  const needs = ["name", "issuer", "clientId"] as const;
  const checked = checkedOptions(options, checks, { of: "oidc", needs });
  const { name, label = name, issuer, match = "email", tenant, allowHttp = false } = checked;
  if (issuer.startsWith("http:") && !allowHttp) {
    const message = "`issuer`: must begin with `https://`; `allowHttp` allows another, for tests.";
    throw new GatewayError("invalid_configuration", message, { param: "issuer" });
  }
  let discovered: Promise<Discovered> | undefined;
  const discover = () => {
    discovered ??= discoverProvider(checked).catch((cause) => {
      discovered = undefined; // the next login tries again
      throw cause;
    });
    return discovered;
  };
  return {
    ...{ name, label, match, tenant },
    begin: (flow) => reaching(name, async () => beginAt(await discover(), checked, flow)),
    finish: (flow, query) => reaching(name, async () => finishAt(await discover(), checked, { flow, query })),
  };
}

async function loadClient() {
  try {
    return await import("openid-client");
  } catch (cause) {
    const message = "A login at an OpenID provider needs the package `openid-client`: install it next to tollgate.";
    throw new GatewayError("invalid_configuration", message, { cause });
  }
}

type OpenidClient = Awaited<ReturnType<typeof loadClient>>;

/** The package, and what the provider says of itself. */
interface Discovered {
  readonly client: OpenidClient;
  readonly configuration: Awaited<ReturnType<OpenidClient["discovery"]>>;
}

async function discoverProvider({ issuer, clientId, clientSecret, allowHttp }: OidcOptions): Promise<Discovered> {
  const client = await loadClient();
  const execute = allowHttp ? [client.allowInsecureRequests] : [];
  const settings = { execute, timeout: timeoutMs / 1_000 };
  const found = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, settings);
  if (clientSecret === undefined || !takesBasic(found.serverMetadata())) return { client, configuration: found };
  const byHeader = client.ClientSecretBasic(clientSecret);
  const configuration = new client.Configuration(found.serverMetadata(), clientId, clientSecret, byHeader);
  if (allowHttp) client.allowInsecureRequests(configuration);
  configuration.timeout = settings.timeout;
  return { client, configuration };
}

/** Clients are registered for the header unless something else is said; the package would send the secret in the body. */
function takesBasic({
  token_endpoint_auth_methods_supported: methods,
}: object & { token_endpoint_auth_methods_supported?: string[] }) {
  return methods === undefined || methods.includes("client_secret_basic");
}

async function beginAt({ client, configuration }: Discovered, options: OidcOptions, flow: LoginFlow): Promise<string> {
  const { scopes = ["openid", "email", "profile"] } = options;
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: flow.redirectUri,
    scope: scopes.join(" "),
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: "S256",
    state: flow.state,
    nonce: flow.nonce,
  });
  return address.href;
}

/** The query that a browser came back with, and what its login began with. */
interface Returned {
  readonly flow: LoginFlow;
  readonly query: string;
}

async function finishAt(
  { client, configuration }: Discovered,
  { usernameClaim = "preferred_username" }: OidcOptions,
  { flow, query }: Returned,
): Promise<LoginClaims> {
  const address = new URL(flow.redirectUri);
  address.search = query;
  const tokens = await client.authorizationCodeGrant(configuration, address, {
    pkceCodeVerifier: flow.verifier,
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  });
  const own = tokens.claims();
  if (!own) throw refused();
  const isComplete = own.email !== undefined || !configuration.serverMetadata().userinfo_endpoint;
  const more = isComplete ? {} : await client.fetchUserInfo(configuration, tokens.access_token, own.sub);
  const claims: Readonly<Record<string, unknown>> = { ...more, ...own };
  return {
    subject: own.sub,
    email: textOf(claims.email),
    isEmailVerified: claims.email_verified === true,
    username: textOf(claims[usernameClaim]),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Codes of the package for an answer that does not belong to the login, or was made up. */
const unreachable: ReadonlySet<string> = new Set(["OAUTH_TIMEOUT", "OAUTH_HTTP_REQUEST_FORBIDDEN"]);

/** Runs a step of a login; what the package throws becomes an error of ours: the provider cannot be reached, or the login is refused. */
async function reaching<Value>(name: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step();
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw thrown;
    const { code = "", error = "" } = thrown as { readonly code?: string; readonly error?: string };
    if (thrown instanceof TypeError || unreachable.has(code) || isServersFault(thrown)) {
      const message = `The OpenID provider \`${name}\` cannot be reached, or is not set up as it should be.`;
      throw new GatewayError("upstream_unreachable", message, { cause: thrown });
    }
    if (error === "access_denied") throw refused("The login was cancelled at the provider.", thrown);
    throw refused(undefined, thrown);
  }
}

/** Discovery that answers with an error, and an error of the server at the token endpoint. */
function isServersFault(thrown: unknown): boolean {
  const { cause, status } = thrown as { readonly cause?: unknown; readonly status?: number };
  const answered = cause instanceof Response ? cause.status : status;
  return answered !== undefined && (answered >= 500 || answered === 404);
}

function refused(message = "The login at the OpenID provider is not valid: begin it again.", cause?: unknown) {
  return new GatewayError("token_not_found", message, { param: "code", cause });
}
