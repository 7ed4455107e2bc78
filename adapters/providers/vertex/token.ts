import { GatewayError, isGatewayError } from "../../../src/errors.ts";
import { authorizedTransport } from "../../shared/http/authorized.ts";
import { requireToken } from "../../shared/http/target.ts";
import type { Transport } from "../../shared/http/transport.ts";

/** An OAuth access token, or who gives the one that is good now. It is asked for every request and keeps what it may. */
export type AccessTokenSource = string | (() => string | Promise<string>);

/** The only right that is asked for. */
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** A transport that shows an access token with every request. */
export function tokenTransport(inner: Transport, source: AccessTokenSource | undefined, provider: string): Transport {
  const give = giverOf(source, provider);
  return authorizedTransport(inner, async (request) => {
    const token = await give();
    return {
      request: { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } },
      secrets: [token],
    };
  });
}

function giverOf(source: AccessTokenSource | undefined, provider: string): () => Promise<string> {
  if (typeof source === "string") {
    const token = requireToken(source, provider);
    return async () => token;
  }
  let opening: Promise<() => Promise<string>> | undefined;
  return async () => {
    try {
      if (source !== undefined) return requireToken(await source(), provider);
      opening ??= openDefault(provider);
      return await (await opening)();
    } catch (cause) {
      if (isGatewayError(cause)) throw cause;
      const message = `\`accessToken\` of ${provider} gave none.`;
      throw new GatewayError("invalid_configuration", message, { param: "accessToken", provider, cause });
    }
  };
}

/** Google's own library finds the credentials of the machine; it is loaded with the first request. */
async function openDefault(provider: string): Promise<() => Promise<string>> {
  const { GoogleAuth } = await import("google-auth-library").catch((cause) => {
    const message = `${provider} needs an \`accessToken\`, or the package google-auth-library to find one.`;
    throw new GatewayError("invalid_configuration", message, { param: "accessToken", provider, cause });
  });
  const auth = new GoogleAuth({ scopes: [scope] });
  return async () => requireToken((await auth.getAccessToken()) ?? "", provider);
}
