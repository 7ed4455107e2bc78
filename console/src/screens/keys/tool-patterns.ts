import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

type AiKey = AnswerOf<Areas["ai"]["keys"]>[number];
type McpConfig = NonNullable<AiKey["mcp_configs"]>[number];

/** The tools of one server, in a key or in a project. */
type ToolEntry = Pick<McpConfig, "server" | "allowed_tools" | "blocked_tools">;

/** Tools as a form has them: `server/tool` in each line, those that are blocked behind a `!`. */
export function toolsInWords(configs: readonly ToolEntry[] = []): string {
  const lines = configs.flatMap(({ server, allowed_tools, blocked_tools }) => [
    ...allowed_tools.map((tool) => `${server}/${tool}`),
    ...blocked_tools.map((tool) => `!${server}/${tool}`),
  ]);
  return lines.join("\n");
}

const line = /^!?(\*|[a-z0-9]+(?:[_-][a-z0-9]+)*)\/(.+)$/;

/** The lines of a form. */
function linesOf(typed: string): readonly string[] {
  return typed.split(/[\s,]+/).filter((one) => one !== "");
}

/** True where each line names a server and a tool. */
export function areToolsValid(typed: string): boolean {
  return linesOf(typed).every((one) => line.test(one));
}

/** The entries that a form stands for. What it does not show of those before (limits, resources, prompts) stays. */
export function readTools<Entry extends ToolEntry>(typed: string, before: readonly Entry[] = []) {
  const entries = new Map<string, { allowed: string[]; blocked: string[] }>();
  for (const one of linesOf(typed)) {
    const [, server, tool] = line.exec(one) ?? [];
    if (server === undefined || tool === undefined) continue;
    const entry = entries.get(server) ?? { allowed: [], blocked: [] };
    entries.set(server, entry);
    (one.startsWith("!") ? entry.blocked : entry.allowed).push(tool);
  }
  return [...entries].map(([server, { allowed, blocked }]) => ({
    ...before.find((known) => known.server === server),
    ...{ server, allowed_tools: [...new Set(allowed)], blocked_tools: [...new Set(blocked)] },
  }));
}

/** Entries of a key have limits; new ones none. */
export function withLimits(entries: readonly (Partial<McpConfig> & Omit<McpConfig, "budgets" | "rate_limits">)[]) {
  return entries.map((entry): McpConfig => ({ budgets: [], rate_limits: [], ...entry }));
}
