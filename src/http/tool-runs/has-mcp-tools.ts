import { isRecord } from "../../engine/dialects/wire-values.ts";

/** A body with tools of MCP servers, which the gateway runs. */
export type McpBody = Record<string, unknown> & { readonly tools: readonly unknown[] };

/** True for a body with a tool of type `mcp`. */
export function hasMcpTools(body: unknown): body is McpBody {
  return (
    isRecord(body) && Array.isArray(body.tools) && body.tools.some((tool) => isRecord(tool) && tool.type === "mcp")
  );
}
