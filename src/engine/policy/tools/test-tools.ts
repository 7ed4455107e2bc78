import type { McpCeiling, McpConfig } from "../../api/mcp/access.ts";
import { toolProvider } from "../../ports/tools/tool-server.ts";
import type { ModelTest } from "../model-pattern.ts";
import { isMeant } from "./pattern.ts";

/** The entry for every server that has none of its own. */
export const anyToolServer = toolProvider("*");

/** What a key, its project and its customer say of tools. */
export interface ToolRecords {
  readonly key: { readonly mcp_configs?: readonly McpConfig[] | undefined };
  readonly project?: { readonly mcp_configs?: readonly McpCeiling[] | undefined } | undefined;
  readonly customer?: { readonly mcp_configs?: readonly McpCeiling[] | undefined } | undefined;
}

/** What an entry says of one thing that a server offers. */
type Grants = (entry: McpCeiling, name: string) => boolean;

const grantsTool: Grants = ({ allowed_tools, blocked_tools }, tool) =>
  isAmong(allowed_tools, tool) && !isAmong(blocked_tools, tool);
const grantsResource: Grants = ({ allowed_resources = [] }, uri) => isAmong(allowed_resources, uri);
const grantsPrompt: Grants = ({ allowed_prompts = [] }, prompt) => isAmong(allowed_prompts, prompt);

/**
 * The tools that an entry of a key allows: those that it names, as far as its project and its customer allow them too. Names are compared
 * letter by letter: `Read` is not `read`, whatever a server makes of them.
 */
export function testTools(config: McpConfig, above: Omit<ToolRecords, "key">): ModelTest {
  const test = testGrants(config, above, grantsTool);
  return ({ provider, model }) => test(provider.slice(toolProvider("").length), model);
}

/** The resources and prompts that an entry of a key allows, by the same rules, and whether contents of its calls are logged. */
export function testContents(config: McpConfig, above: Omit<ToolRecords, "key">): ContentAccess {
  return {
    mayReadResource: testGrants(config, above, grantsResource),
    mayReadPrompt: testGrants(config, above, grantsPrompt),
    logsContent: config.log_content === true,
  };
}

/** What may be read of a server, by its name and the resource's address or the prompt's name. */
export interface ContentAccess {
  readonly mayReadResource: (server: string, uri: string) => boolean;
  readonly mayReadPrompt: (server: string, prompt: string) => boolean;
  /** The key wants arguments and results of its calls in the ledger. */
  readonly logsContent: boolean;
}

function testGrants(config: McpConfig, { project, customer }: Omit<ToolRecords, "key">, grants: Grants) {
  const ceilings = [project?.mcp_configs, customer?.mcp_configs].filter((entries) => entries !== undefined);
  return (server: string, name: string): boolean =>
    grants(config, name) &&
    ceilings.every((entries) => {
      const ceiling = entryOf(entries, server);
      return ceiling !== undefined && grants(ceiling, name);
    });
}

/** The entry for a server: its own, else that of `*`. */
export function entryOf<Entry extends McpCeiling>(entries: readonly Entry[], server: string): Entry | undefined {
  return entries.find((each) => each.server === server) ?? entries.find((each) => each.server === "*");
}

function isAmong(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => isMeant(pattern, name));
}
