import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { toGatewayError } from "../../../engine/errors.ts";
import type { ToolProgress } from "../../../engine/ports/tools/tool-server.ts";
import { toErrorBody } from "../../response/errors.ts";
import { type RequestContext, readFailure } from "../../response/request-context.ts";
import { offerContents } from "./contents.ts";
import { find, finders, isFinder, readCall } from "./finders.ts";
import type { McpSdk, McpSession } from "./session.ts";
import { describeTools, type VerbTool, verbTools } from "./tools.ts";

/** A server for one exchange: its tools are the engine's verbs and those of the configured servers, called with the caller's key. */
export function createToolServer(sdk: McpSdk, session: McpSession): Server {
  const about = { name: "tollgate", version: "1.0.0" };
  const { hasServers } = session.engine.mcp;
  const contents = hasServers ? { resources: {}, prompts: {} } : {};
  const server = new sdk.Server(about, { capabilities: { tools: { listChanged: true }, ...contents } });
  if (hasServers) offerContents(sdk, server, session);
  server.setRequestHandler(sdk.ListToolsRequestSchema, async ({ params }) =>
    session.isSearched ? { tools: [...finders] } : pageOfTools(session, params?.cursor),
  );
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, extra) => {
    const { name: asked, arguments: own = {}, _meta: meta } = params;
    if (session.isSearched && isFinder(asked)) return find(sdk, session, { name: asked, provided: own });
    const isCarried = session.isSearched && asked === "call_tool";
    const { name, arguments: provided } = isCarried ? readCall(sdk, own) : { name: asked, arguments: own };
    const verb = Object.hasOwn(verbTools, name) ? verbTools[name] : undefined;
    if (verb) return callVerb(session, verb, provided);
    const token = meta?.progressToken;
    const onProgress = (progress: ToolProgress) => {
      const notification = { method: "notifications/progress", params: { ...progress, progressToken: token ?? "" } };
      extra.sendNotification(notification as never).catch(() => {}); // the reader is gone, and the call with it
    };
    return callForeign(sdk, session, {
      request: { name, arguments: provided },
      onProgress: token === undefined ? undefined : onProgress,
    });
  });
  return server;
}

/** Tools on one page of the list. */
const pageSize = 250;

/** The verbs, then the tools of other servers by name; a cursor is the name behind which a page begins. */
async function pageOfTools({ engine, options }: McpSession, cursor: string | undefined) {
  const { key, signal, toolTokens } = options;
  const foreign = engine.mcp.hasServers ? (await engine.mcp.tools({ key, signal, toolTokens })).tools : [];
  const own = cursor === undefined ? [...describeTools()] : [];
  const left = foreign.filter(({ name }) => cursor === undefined || name > cursor);
  const page = left.slice(0, pageSize);
  const next = left.length > pageSize ? { nextCursor: page.at(-1)?.name ?? "" } : {};
  return { tools: [...own, ...page.map(({ server: _server, tool: _tool, ...shown }) => shown)] as Tool[], ...next };
}

/** A call of a tool of another server. */
interface ForeignCall {
  readonly request: { readonly name: string; readonly arguments: Record<string, unknown> };
  readonly onProgress: ((progress: ToolProgress) => void) | undefined;
}

async function callForeign(
  sdk: McpSdk,
  { engine, context, options }: McpSession,
  call: ForeignCall,
): Promise<CallToolResult> {
  const { key, signal, timeouts, onRates, toolTokens } = options;
  try {
    const own = { key, signal, timeouts, onRates, toolTokens, onProgress: call.onProgress };
    const answer = await engine.mcp.call(call.request, own);
    const { content, structuredContent, isError, usage } = answer;
    const meta = usage?.cost ? { _meta: { "tollgate/cost": usage.cost } } : {};
    return {
      content: content as CallToolResult["content"], // as the other server wrote it
      ...(structuredContent === undefined ? {} : { structuredContent }),
      ...(isError === undefined ? {} : { isError }),
      ...meta,
    };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const isUnknown = error.code === "model_blocked" || error.code === "not_found";
    if (isUnknown) throw new sdk.McpError(sdk.ErrorCode.InvalidParams, error.message);
    return toErrorResult(thrown, context);
  }
}

/**
 * A failure is an answer too: the model that called the tool reads the error body and may do better. It has no structured content, which
 * clients would check against the schema of a good answer.
 */
async function callVerb(
  { engine, context, options }: McpSession,
  tool: VerbTool,
  provided: object,
): Promise<CallToolResult> {
  try {
    const answer = await tool.call(engine, provided as never, options);
    const text = tool.show?.(answer as never) || JSON.stringify(answer);
    return { content: [{ type: "text", text }], structuredContent: answer as Record<string, unknown> };
  } catch (thrown) {
    return toErrorResult(thrown, context);
  }
}

function toErrorResult(thrown: unknown, context: RequestContext): CallToolResult {
  const body = toErrorBody(readFailure(thrown, context), context);
  return { content: [{ type: "text", text: JSON.stringify(body) }], isError: true };
}
