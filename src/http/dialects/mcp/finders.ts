import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { CallableTool } from "../../../engine/pipeline/tools/described-tools.ts";
import { rankTools } from "../../../engine/pipeline/tools/search-tools.ts";
import { unknownToolMessage } from "../../../engine/pipeline/tools/tool-names.ts";
import type { McpSdk, McpSession } from "./session.ts";
import { describeTools } from "./tools.ts";

/** Characters of a description in a list of found tools. */
const shownOfDescription = 300;

const Query = z.object({
  query: z.string().min(1).max(1_000).describe("Words of what the tool does, e.g. `create issue`."),
  limit: z.int().min(1).max(50).optional().describe("Tools in the answer; 10 by default."),
});
const Named = z.object({ name: z.string().describe("A name that `search_tools` gave.") });
const Call = Named.extend({ arguments: z.record(z.string(), z.unknown()).optional() });

const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** What a client sees in place of a long list of tools. */
export const finders: readonly Tool[] = [
  {
    name: "search_tools",
    description: "Find tools by words of what they do. Describe a tool before its first call; then call it.",
    inputSchema: schemaOf(Query),
    annotations: readOnly,
  },
  {
    name: "describe_tool",
    description: "Give the whole description of a tool and the JSON Schema of its arguments.",
    inputSchema: schemaOf(Named),
    annotations: readOnly,
  },
  { name: "call_tool", description: "Call a tool by its name.", inputSchema: schemaOf(Call) },
];

/** A tool as a caller may find it. */
type FindableTool = Pick<CallableTool, "name" | "description" | "inputSchema">;

/** True for the names of the tools that find others; `call_tool` is another's to answer. */
export function isFinder(name: string): boolean {
  return name === "search_tools" || name === "describe_tool";
}

/** Finds tools among those that the caller may call, or describes one of them. */
export async function find(
  sdk: McpSdk,
  session: McpSession,
  { name, provided }: { readonly name: string; readonly provided: object },
): Promise<CallToolResult> {
  const { tools, unavailable } = await findable(session);
  if (name === "describe_tool") {
    const { name: wanted } = read(sdk, Named, provided);
    const found = tools.find((tool) => tool.name === wanted);
    if (!found) throw new sdk.McpError(sdk.ErrorCode.InvalidParams, unknownToolMessage(wanted));
    const { name: own, description, inputSchema } = found;
    return say({ name: own, description, inputSchema });
  }
  const ranked = await rankTools(tools, read(sdk, Query, provided));
  const shown = ranked.map((tool) => ({
    name: tool.name,
    description: tool.description?.slice(0, shownOfDescription),
  }));
  return say({ tools: shown, ...(unavailable.length > 0 ? { unavailable } : {}) });
}

/** The tool that `call_tool` means, and its arguments. */
export function readCall(
  sdk: McpSdk,
  provided: object,
): { readonly name: string; readonly arguments: Record<string, unknown> } {
  const { name, arguments: own = {} } = read(sdk, Call, provided);
  return { name, arguments: own };
}

async function findable({ engine, options: { key, signal, toolTokens } }: McpSession) {
  const own = describeTools() as readonly FindableTool[];
  if (!engine.mcp.hasServers) return { tools: own, unavailable: [] };
  const { tools, unavailable } = await engine.mcp.tools({ key, signal, toolTokens });
  return { tools: [...own, ...tools] as readonly FindableTool[], unavailable };
}

function read<Shape extends z.ZodType>(sdk: McpSdk, shape: Shape, provided: object): z.infer<Shape> {
  const checked = shape.safeParse(provided);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = issue?.path.join(".") || "arguments";
  throw new sdk.McpError(sdk.ErrorCode.InvalidParams, `\`${where}\`: ${issue?.message ?? "cannot be read"}.`);
}

function schemaOf(shape: z.ZodType): Tool["inputSchema"] {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape);
  return { ...schema, type: "object" } as Tool["inputSchema"]; // no property of ours is a boolean schema
}

function say(value: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}
