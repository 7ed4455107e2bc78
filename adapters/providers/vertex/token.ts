import { GatewayError } from "../../../src/engine/errors.ts";
import type { Transport } from "../../../src/engine/ports/transport.ts";
import { authorizedTransport, withoutCredential } from "../../shared/http/authorized.ts";
import { requireToken } from "../../shared/http/target.ts";

/** An OAuth access token, or who gives the one that is good now. It is asked for every request and keeps what it may. */
export type AccessTokenSource = string | (() => string | Promise<string>);

/** The only scope that is requested. */
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** Who asks: the provider's name, the project that pays, and where tokens come from. */
interface TokenClient {
  readonly provider: string;
  readonly project: string;
  readonly accessToken: AccessTokenSource | undefined;
}

/** A transport that shows an access token with every request. */
export function tokenTransport(inner: Transport, tokenClient: TokenClient): Transport {
  const give = giverOf(tokenClient);
  return authorizedTransport(inner, async (request) => {
    const token = await give();
    return {
      request: { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
      secrets: [token],
    };
  });
}

function giverOf({ provider, project, accessToken: source }: TokenClient): () => Promise<string> {
  if (typeof source === "string") {
    const token = requireToken(source, provider);
    return async () => token;
  }
  let google: Promise<() => Promise<string>> | undefined;
  const findGoogle = () => {
    google ??= openGoogle(provider, project);
    return google;
  };
  return async () => {
    const give = source ?? (await findGoogle());
    try {
      return requireToken(await give(), provider);
    } catch (cause) {
      throw withoutCredential("accessToken", provider, cause);
    }
  };
}

/**
 * Google's own library finds the machine's credentials; it is loaded with the first request. With the project given, it does not
 * ask Google for it.
 */
async function openGoogle(provider: string, projectId: string): Promise<() => Promise<string>> {
  const { GoogleAuth } = await import("google-auth-library").catch((cause) => {
    const message = `${provider} needs an \`accessToken\`, or the package google-auth-library to find one.`;
    throw new GatewayError("invalid_configuration", message, { param: "accessToken", provider, cause });
  });
  const auth = new GoogleAuth({ scopes: [scope], projectId });
  return async () => (await auth.getAccessToken()) ?? "";
}
