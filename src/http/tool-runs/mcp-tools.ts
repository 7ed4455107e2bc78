import { z } from "zod";
import { MaxToolCalls, McpTool, type ToolFilter } from "../../engine/api/mcp/tool.ts";
import { isRecord } from "../../engine/dialects/wire-values.ts";
import type { CoreEngine } from "../../engine/engine.ts";
import { GatewayError } from "../../engine/errors.ts";
import { parserOf } from "../../engine/pipeline/call/parse.ts";
import type { CallableTool } from "../../engine/pipeline/tools/described-tools.ts";
import type { ServerTools, ToolRunOptions } from "../../engine/pipeline/tools/run/tool-run.ts";
import type { McpBody } from "./has-mcp-tools.ts";

const readLimit = parserOf(z.looseObject({ max_tool_calls: MaxToolCalls.nullish() }));

/** Fields by which a caller would say where a server is, or who asks it. */
const foreignFields = ["server_url", "connector_id", "tunnel_id", "authorization", "headers"] as const;

/** What the tools of type `mcp` in a body mean for a run. */
export interface McpRun {
  /** The servers' tools, for `ToolRunRequest.mcp`. */
  readonly mcp: readonly ServerTools[];
  /** The other tools. */
  readonly tools: readonly unknown[];
  readonly options: Pick<ToolRunOptions, "approve" | "maxCalls">;
  /** What fields of the run are in the body. */
  readonly origins: ReadonlyMap<string, string>;
}

/**
 * Reads the tools of type `mcp`. Throws `invalid_request` for one that names no configured server, and for one with an address or
 * credentials: whom the gateway connects to is in its configuration.
 */
export function readMcpRun({ mcp }: Pick<CoreEngine, "mcp">, body: McpBody): McpRun {
  const { max_tool_calls: limit } = readLimit({ max_tool_calls: body.max_tool_calls });
  const origins = new Map<string, string>([["maxCalls", "max_tool_calls"]]);
  const tools: unknown[] = [];
  const servers = new Map<string, McpTool>();
  for (const [at, tool] of body.tools.entries()) {
    const path = `tools.${at}`;
    if (!isRecord(tool) || tool.type !== "mcp") {
      origins.set(`tools.${tools.push(tool) - 1}`, path);
      continue;
    }
    if (!mcp.hasServers) throw invalid(`${path}.type`, "is `mcp`, but no MCP server is configured here");
    const read = readTool(tool, path);
    if (servers.has(read.server_label)) throw invalid(`${path}.server_label`, "is there twice");
    origins.set(`mcp.${servers.size}`, `${path}.server_label`);
    servers.set(read.server_label, read);
  }
  return {
    mcp: [...servers.values()].map(selectionOf),
    tools,
    origins,
    options: {
      approve: ({ tool, isResumed }) => isResumed || !tool || !needsApproval(servers.get(tool.server), tool) || "ask",
      ...(limit === undefined || limit === null ? {} : { maxCalls: limit }),
    },
  };
}

function readTool(tool: Record<string, unknown>, path: string): McpTool {
  for (const field of foreignFields)
    if (tool[field] !== undefined && tool[field] !== null)
      throw invalid(
        `${path}.${field}`,
        "is not taken: servers are those of the gateway's configuration, by `server_label`",
      );
  const checked = McpTool.safeParse(tool);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw invalid([path, ...(issue?.path ?? [])].join("."), issue?.message ?? "is no tool of an MCP server");
}

function selectionOf({ server_label: server, allowed_tools: allowed }: McpTool): ServerTools {
  const { tool_names: tools, read_only } = filterOf(allowed ?? {});
  return { server, ...(tools ? { tools } : {}), ...(read_only === undefined ? {} : { read_only }) };
}

function filterOf(filter: readonly string[] | ToolFilter): ToolFilter {
  return Array.isArray(filter) ? { tool_names: [...filter] } : (filter as ToolFilter);
}

/** Approval is needed unless it is said not to be, as with the vendor. */
function needsApproval(server: McpTool | undefined, tool: CallableTool): boolean {
  const rule = server?.require_approval ?? "always";
  if (typeof rule === "string") return rule === "always";
  const { always, never } = rule;
  return (always !== undefined && isMeantBy(always, tool)) || never === undefined || !isMeantBy(never, tool);
}

function isMeantBy(
  { tool_names: names, read_only: isReadOnly }: ToolFilter,
  { tool, annotations }: CallableTool,
): boolean {
  if (names && !names.includes(tool)) return false;
  return isReadOnly === undefined || isReadOnly === (annotations?.readOnlyHint === true);
}

function invalid(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\` ${problem}.`, { param });
}
