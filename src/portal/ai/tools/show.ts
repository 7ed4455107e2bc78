import type { CallableTool } from "../../../engine/pipeline/tools/described-tools.ts";
import type { ReviewedServer, ReviewedTool } from "../../../engine/pipeline/tools/review-tools.ts";
import { present } from "../../../engine/policy/drafts.ts";
import { type ToolDescription, toolProvider } from "../../../engine/ports/tools/tool-server.ts";
import type { AiTool, AiToolServer } from "../../../operations/portal/tenancy/ai/tools.ts";

/** Returns a server as lists show it; `circuits` are those that are not closed. */
export function showServer(
  { name, transport, approval, connection, tools, message }: ReviewedServer,
  circuits: readonly { readonly target: string }[],
  now: number,
): AiToolServer {
  const { state = "connected", retryAfterMs = 0 } = connection ?? {};
  const prefix = `${toolProvider(name)}/`;
  return {
    ...{ name, transport: transport ?? "own", state: tools ? state : "failing" },
    ...present({ approval, message: message ?? connection?.message }),
    ...(retryAfterMs > 0 ? { retry_at: new Date(now + retryAfterMs).toISOString() } : {}),
    ...(tools ? { tools: tools.length } : {}),
    ...(tools && approval ? { held: tools.filter(isHeld).length } : {}),
    open_circuits: circuits.flatMap(({ target }) => (target.startsWith(prefix) ? [target.slice(prefix.length)] : [])),
  };
}

function isHeld({ approval }: ReviewedTool): boolean {
  return approval === "new" || approval === "changed";
}

/** Returns a tool with its approval. */
export function showReviewedTool({ approval, approved, price, ...tool }: ReviewedTool): AiTool {
  return { ...showTool(tool), approval, price, ...(approved ? { approved: showDescription(approved) } : {}) };
}

/** Returns a tool that a key may call. */
export function showTool({ name, server, tool, ...described }: CallableTool): AiTool {
  return { name, server, tool, ...showDescription(described) };
}

function showDescription(described: Omit<ToolDescription, "name">) {
  const { title, description, inputSchema, outputSchema, annotations } = described;
  return {
    ...present({ title, description }),
    input_schema: { ...inputSchema },
    ...present({ output_schema: outputSchema && { ...outputSchema } }),
    ...present({ annotations: annotations && { ...annotations } }),
  };
}
