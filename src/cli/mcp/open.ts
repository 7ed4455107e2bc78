import type { OpenedEngine } from "../../server/open-engine.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";

/** An engine for the tools of servers. Approved descriptions, where a server has them, are those of the store that the gateway uses. */
export async function openForTools(
  terminal: Terminal,
  file: string | undefined,
  { store, isStoreNeeded = false }: { readonly store?: string | undefined; readonly isStoreNeeded?: boolean } = {},
): Promise<OpenedEngine> {
  const { openEngine } = await import("../../server/open-engine.ts");
  const { openSharedStore } = await import("../decide/open.ts");
  return openEngine(terminal, file, async ({ config }) => {
    const hasApprovals = Object.values(config.mcp?.servers ?? {}).some(({ approval }) => approval !== undefined);
    if (!hasApprovals && !isStoreNeeded && store === undefined) return undefined;
    return openSharedStore(terminal, store ?? config.store);
  });
}
