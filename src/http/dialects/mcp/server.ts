import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { CallOptions, CoreEngine } from "../../../engine.ts";
import { GatewayError } from "../../../errors.ts";
import { toErrorBody } from "../../response/errors.ts";
import { type RequestContext, readFailure } from "../../response/request-context.ts";
import { describeTools, type VerbTool, verbTools } from "./tools.ts";

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
}

/** A server for one exchange: its tools are the engine's verbs, called with the caller's key. */
export function createVerbServer(sdk: McpSdk, session: McpSession): Server {
  const about = { name: "tollgate", version: "1.0.0" };
  const server = new sdk.Server(about, { capabilities: { tools: {} } });
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: [...describeTools()] as Tool[] }));
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }) => {
    const tool = Object.hasOwn(verbTools, params.name) ? verbTools[params.name] : undefined;
    if (tool) return callTool(session, tool, params.arguments ?? {});
    throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `There is no tool \`${params.name}\`.`);
  });
  return server;
}

/**
 * A failure is an answer too: the model that called the tool reads the error body and may do better. It has no structured content, which
 * clients would check against the schema of a good answer.
 */
async function callTool(
  { engine, context, options }: McpSession,
  tool: VerbTool,
  provided: object,
): Promise<CallToolResult> {
  try {
    const answer = await tool.call(engine, provided as never, options);
    const text = tool.show?.(answer as never) || JSON.stringify(answer);
    return { content: [{ type: "text", text }], structuredContent: answer as Record<string, unknown> };
  } catch (thrown) {
    const body = toErrorBody(readFailure(thrown, context), context);
    return { content: [{ type: "text", text: JSON.stringify(body) }], isError: true };
  }
}
