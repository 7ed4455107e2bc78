import type { ToolDescription, ToolServer } from "../../ports/tools/tool-server.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import type { Ports } from "../runtime/ports.ts";
import { publicNames } from "./tool-names.ts";
import { withinListing } from "./within-listing.ts";

/** A tool that a caller may call. */
export interface CallableTool extends ToolDescription {
  /** The name that it is called by: `server__tool`. */
  readonly name: string;
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
}

/** One server, and who waits for its list. */
export interface DescribedServer {
  readonly server: ToolServer;
  readonly signal?: Abortable | undefined;
  /** Milliseconds that the server may take; 20,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** The caller's own token for the server. */
  readonly userToken?: string | undefined;
}

/** All tools of one server as it describes them now, approved or not. */
export async function describedTools(
  ports: Pick<Ports, "clock">,
  name: string,
  { server, ...reader }: DescribedServer,
): Promise<readonly CallableTool[]> {
  const described = await withinListing({ ports, signal: undefined, ...reader }, (call) => server.listTools(call));
  const tools = named.get(described) ?? nameTools(name, described);
  named.set(described, tools);
  return tools;
}

/** The named tools of a list, for as long as a server gives the same one. */
const named = new WeakMap<readonly ToolDescription[], readonly CallableTool[]>();

function nameTools(server: string, described: readonly ToolDescription[]): readonly CallableTool[] {
  const byName = new Map(described.map((tool) => [tool.name, tool]));
  return [...publicNames(server, [...byName.keys()])].flatMap(([name, tool]) => {
    const description = byName.get(tool);
    return description ? [{ ...description, name, server, tool }] : [];
  });
}
