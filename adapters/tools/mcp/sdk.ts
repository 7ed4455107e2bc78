import { GatewayError } from "../../../src/engine/errors.ts";

/** The official SDK's client, which is loaded when a server is first asked. */
export async function loadClientSdk() {
  try {
    const [client, http, stdio, types, auth, extensions] = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      import("@modelcontextprotocol/sdk/client/stdio.js"),
      import("@modelcontextprotocol/sdk/types.js"),
      import("@modelcontextprotocol/sdk/client/auth.js"),
      import("@modelcontextprotocol/sdk/client/auth-extensions.js"),
    ]);
    const { UnauthorizedError } = auth;
    const { ClientCredentialsProvider } = extensions;
    return { ...client, ...http, ...stdio, ...types, UnauthorizedError, ClientCredentialsProvider };
  } catch (cause) {
    const message = "`mcp.servers` needs the package `@modelcontextprotocol/sdk`: install it next to tollgate.";
    throw new GatewayError("invalid_configuration", message, { cause });
  }
}

export type McpClientSdk = Awaited<ReturnType<typeof loadClientSdk>>;
