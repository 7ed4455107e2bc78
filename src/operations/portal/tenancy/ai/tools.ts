import { z } from "zod";
import { longestToolName, ToolServerName } from "../../../../engine/api/mcp/access.ts";
import { op } from "../../../define.ts";
import { flag, id, instant } from "../../fields.ts";

/** A tool server of the configuration, as far as it may be shown: no address, header or environment. */
export const AiToolServer = z.object({
  name: z.string(),
  /** `own` is a server of the program that the gateway runs in. */
  transport: z.enum(["http", "stdio", "own"]),
  /** Whether its tools are held to approved descriptions. */
  approval: z.enum(["first_use", "pinned"]).optional(),
  state: z.enum(["idle", "connecting", "connected", "failing"]),
  /** Why it could not say its tools. */
  message: z.string().optional(),
  /** When the gateway connects again at the earliest. */
  retry_at: instant.optional(),
  /** The number of its tools; absent where it did not say. */
  tools: z.int().optional(),
  /** Those among them that are not called until they are approved. */
  held: z.int().optional(),
  /** Tools that are not called for a while since they kept failing. */
  open_circuits: z.array(z.string()),
});
export type AiToolServer = z.output<typeof AiToolServer>;

const json = z.record(z.string(), z.unknown());

/** What a server says of a tool. */
const description = {
  title: z.string().optional(),
  description: z.string().optional(),
  /** JSON Schema of the arguments. */
  input_schema: json,
  output_schema: json.optional(),
  /** The server's own claims, such as `readOnlyHint`. */
  annotations: json.optional(),
};

/** A tool of a server as it is described now. */
export const AiTool = z.object({
  /** As callers name it: `server__tool`. */
  name: z.string(),
  server: z.string(),
  /** The server's own name of it. */
  tool: z.string(),
  ...description,
  /** `none` where nothing has to be approved; `new` and `changed` tools are not called. Absent in the list of a key. */
  approval: z.enum(["none", "approved", "new", "changed"]).optional(),
  /** What was approved, where the tool changed since and the description was stored. */
  approved: z.object(description).optional(),
  /** US dollars for one call; absent in the list of a key. */
  price: z.number().optional(),
});
export type AiTool = z.output<typeof AiTool>;

/** Somebody who may call a tool: a key, or a project or customer whose own patterns let its keys call it. */
export const AiToolAccess = z.object({
  level: z.enum(["key", "project", "customer"]),
  id: z.string(),
  name: z.string(),
  is_active: flag,
  /** The entry that says so: a server's name, or `*`. */
  server: z.string(),
  allowed_tools: z.array(z.string()),
  blocked_tools: z.array(z.string()),
});
export type AiToolAccess = z.output<typeof AiToolAccess>;

const tool = z.string().min(1).max(longestToolName);
const isExtension = true;

/** The tools of MCP servers. Servers and their descriptions belong to the provider of the portal. */
export const aiTools = {
  toolServers: op("GET /ai/tools/servers", "ai_tool_servers-get", "List the MCP servers and how they are", {
    out: z.array(AiToolServer),
    isExtension,
  }),
  tools: op("GET /ai/tools", "ai_tools-get", "List the tools of MCP servers, or those that a key may call", {
    in: { server: ToolServerName.optional(), key_id: id.optional() },
    out: z.array(AiTool),
    isExtension,
  }),
  toolAccess: op("GET /ai/tools/access", "ai_tool_access-get", "List who may call a tool, or any tool of a server", {
    in: { server: ToolServerName, tool: tool.optional() },
    out: z.array(AiToolAccess),
    isExtension,
  }),
  approveTools: op(
    "POST /ai/tools/approve",
    "ai_tools_approve-post",
    "Approve tools as their server describes them now",
    {
      in: { server: ToolServerName, tools: z.array(tool).min(1).max(1_000) },
      out: z.array(z.object({ tool: z.string(), was: z.enum(["new", "changed"]), description: z.string().optional() })),
      isExtension,
    },
  ),
};
