import type { Terminal } from "../../../server/terminal/terminal.ts";

/** Writes what the engine warns of when a record is made or changed. */
export function writeWarnings(terminal: Terminal, warnings: readonly string[] = []): void {
  for (const warning of warnings) terminal.err(`tollgate: ${warning}\n`);
}
