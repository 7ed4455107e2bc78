import type { McpCeiling, McpConfig } from "../../api/mcp/access.ts";
import { toolProvider } from "../../ports/tools/tool-server.ts";
import type { ModelTest } from "../model-pattern.ts";
import { isMeant } from "./pattern.ts";

/** Says whether a tool, by its server's own name of it, is meant. */
type ToolTest = (tool: string) => boolean;

/** The entry for every server that has none of its own. */
export const anyToolServer = toolProvider("*");

/** What a key, its project and its customer say of tools. */
export interface ToolRecords {
  readonly key: { readonly mcp_configs?: readonly McpConfig[] | undefined };
  readonly project?: { readonly mcp_configs?: readonly McpCeiling[] | undefined } | undefined;
  readonly customer?: { readonly mcp_configs?: readonly McpCeiling[] | undefined } | undefined;
}

/**
 * The tools that an entry of a key allows: those that it names, as far as its project and its customer allow them too. Names are compared
 * letter by letter: `Read` is not `read`, whatever a server makes of them.
 */
export function testTools(config: McpConfig, { project, customer }: Omit<ToolRecords, "key">): ModelTest {
  const isAllowed = testEntry(config);
  const ceilings = [project?.mcp_configs, customer?.mcp_configs].filter((entries) => entries !== undefined);
  const isWithin = ceilings.map((entries) => (server: string, tool: string) => {
    const ceiling = entries.find((each) => each.server === server) ?? entries.find((each) => each.server === "*");
    return ceiling !== undefined && testEntry(ceiling)(tool);
  });
  return ({ provider, model: tool }) => {
    const server = provider.slice(toolProvider("").length);
    return isAllowed(tool) && isWithin.every((test) => test(server, tool));
  };
}

function testEntry({ allowed_tools, blocked_tools }: Pick<McpCeiling, "allowed_tools" | "blocked_tools">): ToolTest {
  return (tool) =>
    allowed_tools.some((each) => isMeant(each, tool)) && !blocked_tools.some((each) => isMeant(each, tool));
}
