import { toGatewayError } from "../../errors.ts";
import { entryFor, type KeyPermissions } from "../../policy/access.ts";
import { type ToolDescription, type ToolServer, toolProvider } from "../../ports/tools/tool-server.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import { accessOf, accessOfId } from "../call/authenticate.ts";
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

/** The tools of a caller, sorted by name, and the servers that could not say theirs. */
export interface ToolListing {
  readonly tools: readonly CallableTool[];
  readonly unavailable: readonly { readonly server: string; readonly message: string }[];
}

/** Who asks for the tools. */
export interface ToolListOptions {
  /** The virtual key; without one, all tools of all servers are listed, unless keys are required. */
  readonly key?: string | undefined;
  /** The id of the key, where its value is not known: for administration. */
  readonly keyId?: string | undefined;
  readonly signal?: Abortable | undefined;
}

/** Lists the tools that a caller may call. A server that fails or hangs is named in `unavailable`; the others are listed. */
export async function listTools(ports: Ports, { key, keyId, signal }: ToolListOptions): Promise<ToolListing> {
  const access = keyId === undefined ? await accessOf(ports, key) : await accessOfId(ports, keyId);
  const allowed = [...ports.tools].filter(([name]) => !access || entryFor(access, toolProvider(name)));
  const listings = await Promise.all(
    allowed.map(async ([name, server]) => {
      try {
        return { tools: await toolsOf(ports, name, { server, access, signal }) };
      } catch (thrown) {
        return { unavailable: { server: name, message: toGatewayError(thrown).message } };
      }
    }),
  );
  const tools = listings.flatMap((listing) => listing.tools ?? []);
  return {
    tools: tools.sort((one, other) => (one.name < other.name ? -1 : 1)),
    unavailable: listings.flatMap(({ unavailable }) => (unavailable ? [unavailable] : [])),
  };
}

/** One server, and who asks it for its list. */
interface AskedServer {
  readonly server: ToolServer;
  readonly access: KeyPermissions | undefined;
  readonly signal?: Abortable | undefined;
}

/** The tools of one server that a caller may call, with their public names. */
export async function toolsOf(ports: Ports, name: string, asked: AskedServer): Promise<readonly CallableTool[]> {
  const { server, access, signal } = asked;
  const described = await withinListing({ ports, signal }, (call) => server.listTools(call));
  const tools = named.get(described) ?? nameTools(name, described);
  named.set(described, tools);
  const provider = toolProvider(name);
  const entry = access && entryFor(access, provider);
  return access ? tools.filter(({ tool }) => entry?.allows({ provider, model: tool })) : tools;
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
