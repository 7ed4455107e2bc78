import type { CallOptions, CoreEngine } from "../../../engine/engine.ts";
import { GatewayError } from "../../../engine/errors.ts";
import type { RequestContext } from "../../response/request-context.ts";

/** The official SDK, which is loaded when somebody comes with the protocol. */
export async function loadSdk() {
  try {
    const [server, transport, types] = await Promise.all([
      import("@modelcontextprotocol/sdk/server/index.js"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
      import("@modelcontextprotocol/sdk/types.js"),
    ]);
    return { ...server, ...transport, ...types };
  } catch (cause) {
    const message = "`/mcp` needs the package `@modelcontextprotocol/sdk`: install it next to tollgate.";
    throw new GatewayError("invalid_configuration", message, { cause });
  }
}

export type McpSdk = Awaited<ReturnType<typeof loadSdk>>;

/** Who is served, and through what. */
export interface McpSession {
  readonly engine: CoreEngine;
  readonly context: RequestContext;
  readonly options: CallOptions;
  /** The client sees tools that find others, in place of them all. */
  readonly isSearched: boolean;
}
