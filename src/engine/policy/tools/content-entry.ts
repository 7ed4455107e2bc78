import { toolProvider } from "../../ports/tools/tool-server.ts";
import { anyToolServer, type ContentAccess } from "./test-tools.ts";

/** The entries of a key. */
interface ContentEntries {
  readonly tools: readonly (ContentAccess & { readonly provider: string })[];
}

/** What a key may read of a tool server: its entry, else that of every server. */
export function contentEntryFor({ tools }: ContentEntries, server: string): ContentAccess | undefined {
  const own = toolProvider(server);
  return tools.find(({ provider }) => provider === own) ?? tools.find(({ provider }) => provider === anyToolServer);
}
