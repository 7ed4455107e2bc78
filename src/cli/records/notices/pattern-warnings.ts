import type { Terminal } from "../../../server/terminal/terminal.ts";

/** Says which patterns of a key match no known model, and which allow models without a known price. */
export async function warnOfPatterns(
  terminal: Terminal,
  config: string | undefined,
  patterns: readonly string[],
): Promise<void> {
  if (patterns.every((pattern) => pattern === "*")) return;
  const { judgePatterns, writeNotes } = await import("../../../engine/pipeline/admin/known-models.ts");
  const { openKnowledge } = await import("../../../server/store/open.ts");
  const knowledge = { ...(await openKnowledge(terminal, config)), now: terminal.now() };
  for (const note of writeNotes(judgePatterns(patterns, knowledge))) terminal.err(`tollgate: ${note}\n`);
}
