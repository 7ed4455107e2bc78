import type { McpConfig } from "../../engine/api/mcp/access.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import type { Values } from "../program/command.ts";

/** Options that set the tools of MCP servers that a key may call. */
export const toolOptions = {
  tool: {
    kind: "list",
    value: "pattern",
    about: "tools to allow: github/create_issue, 'github/read_*', 'github/*' or '*'; repeatable",
  },
  "block-tool": { kind: "list", value: "pattern", about: "tools to block, even if --tool covers them; repeatable" },
  "log-tools": { kind: "flag", about: "store arguments and results of these tools' calls in the ledger" },
} as const;

/** The entries for the options; undefined where they name no tool. Throws `UsageError` for a pattern that names no server. */
export function readTools(values: Values<typeof toolOptions>): McpConfig[] | undefined {
  const { tool: allowed, "block-tool": blocked = [], "log-tools": isLogged } = values;
  if (!allowed && blocked.length > 0)
    throw new UsageError("--block-tool blocks a tool that is not allowed.", "Allow tools with --tool.");
  if (!allowed && isLogged)
    throw new UsageError("--log-tools is for tools that are allowed.", "Allow tools with --tool.");
  if (!allowed) return undefined;
  const entries = new Map<string, McpConfig>();
  for (const text of allowed) {
    const { server, tool } = readPattern("--tool", text);
    const entry = entries.get(server) ?? { server, allowed_tools: [], blocked_tools: [], budgets: [], rate_limits: [] };
    entries.set(server, { ...entry, allowed_tools: [...entry.allowed_tools, tool] });
  }
  for (const text of blocked) {
    const { server, tool } = readPattern("--block-tool", text);
    const concerned = server === "*" ? [...entries.keys()] : [entries.has(server) ? server : "*"];
    for (const name of concerned) {
      const entry = entries.get(name);
      if (!entry)
        throw new UsageError(`--block-tool ${text} blocks a tool that is not allowed.`, "Allow it with --tool.");
      entries.set(name, { ...entry, blocked_tools: [...entry.blocked_tools, tool] });
    }
  }
  return [...entries.values()].map((entry) => (isLogged ? { ...entry, log_content: true } : entry));
}

/** The tools of a key as the options would say them: `github/* except delete_*`. */
export function writeTools(entries: readonly McpConfig[]): string {
  const texts = entries.map(({ server, allowed_tools, blocked_tools, log_content }) => {
    const logged = log_content ? " (contents are logged)" : "";
    const allowed = allowed_tools.map((tool) => `${server}/${tool}`).join(", ") || `nothing of ${server}`;
    const blocked = blocked_tools.length === 0 ? "" : ` except ${blocked_tools.join(", ")}`;
    return `${allowed}${blocked}${logged}`;
  });
  return texts.join("; ") || "nothing";
}

function readPattern(option: string, text: string): { readonly server: string; readonly tool: string } {
  if (text === "*") return { server: "*", tool: "*" };
  const slash = text.indexOf("/");
  if (slash > 0 && slash < text.length - 1) return { server: text.slice(0, slash), tool: text.slice(slash + 1) };
  const hint = "Write one tool as github/create_issue, all tools of a server as 'github/*', and all tools as '*'.";
  throw new UsageError(`${option} must be a server and a tool, not "${text}".`, hint);
}
