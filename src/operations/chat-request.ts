import { z } from "zod";
import * as chat from "../engine/api/chat.ts";
import { MaxToolCalls, McpTool } from "../engine/api/mcp/tool.ts";
import { Tool } from "../engine/api/tools.ts";

/** A chat as HTTP takes it: also with tools of MCP servers, which the gateway runs itself. */
export const ChatRequestOverHttp = chat.ChatRequest.extend({
  tools: z.array(z.union([Tool, McpTool])).optional(),
  max_tool_calls: MaxToolCalls.optional(),
});

/** The schemas of chats, as HTTP has them. */
export const chatSchemas = { ...chat, ChatRequest: ChatRequestOverHttp, McpTool };
