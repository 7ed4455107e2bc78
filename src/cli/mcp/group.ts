import type { CommandGroup } from "../program/command.ts";
import { callTool } from "./call.ts";
import { checkServers } from "./check.ts";
import { listTools } from "./list.ts";

/** `tollgate mcp …`: tools of other servers. */
export const mcp: CommandGroup = {
  name: "mcp",
  summary: "list, check and call the tools of MCP servers",
  about:
    "Reaches the servers of the Model Context Protocol that the configuration names under `mcp.servers`. Their tools are offered at\n" +
    "/mcp to the keys that may call them: tollgate key create agent --tool 'github/*'.",
  commands: { list: listTools, check: checkServers, call: callTool },
  examples: [listTools, checkServers, callTool].flatMap(({ examples }) => examples.slice(0, 1)),
};
