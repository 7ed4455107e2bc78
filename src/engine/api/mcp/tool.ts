import { z } from "zod";
import { ToolServerName } from "./access.ts";

const ToolFilter = z.looseObject({
  tool_names: z.array(z.string()).max(1_000).optional(),
  read_only: z.boolean().optional(),
});
export type ToolFilter = z.infer<typeof ToolFilter>;

/** A tool of type `mcp` as OpenAI's interface has it (platform.openai.com, "Create a model response", `tools`). */
export const McpTool = z.looseObject({
  type: z.literal("mcp"),
  server_label: ToolServerName,
  allowed_tools: z.union([z.array(z.string()).max(1_000), ToolFilter]).nullish(),
  require_approval: z
    .union([
      z.enum(["always", "never"]),
      z.looseObject({ always: ToolFilter.optional(), never: ToolFilter.optional() }),
    ])
    .nullish(),
});
export type McpTool = z.infer<typeof McpTool>;

/** The most calls of tools that one run makes. */
export const MaxToolCalls = z.int().min(0).max(1_000);
