import type { CommandGroup } from "../program/command.ts";
import { approveTools } from "./approve.ts";
import { callTool } from "./call.ts";
import { checkServers } from "./check.ts";
import { listTools } from "./list.ts";

/** `tollgate mcp …`: tools of other servers. */
export const mcp: CommandGroup = {
  name: "mcp",
  summary: "list, check, call and approve the tools of MCP servers",
  about:
    "Reaches the servers of the Model Context Protocol that the configuration names under `mcp.servers`. Their tools are offered at\n" +
    "/mcp to the keys that may call them: tollgate key create agent --tool 'github/*'.",
  commands: { list: listTools, check: checkServers, call: callTool, approve: approveTools },
  examples: [listTools, checkServers, callTool, approveTools].flatMap(({ examples }) => examples.slice(0, 1)),
};
