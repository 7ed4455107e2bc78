import { GatewayError, toGatewayError } from "../../errors.ts";
import { entryFor, type KeyPermissions } from "../../policy/access.ts";
import { toolProvider } from "../../ports/tools/tool-server.ts";
import type { Abortable } from "../../runtime/abortable.ts";
import { accessOf, accessOfId } from "../call/authenticate.ts";
import type { Ports } from "../runtime/ports.ts";
import { checkApprovals } from "./approvals/check-approvals.ts";
import type { HeldReason } from "./approvals/held-reason.ts";
import { type CallableTool, type DescribedServer, describedTools } from "./described-tools.ts";

/** The tools of a caller, sorted by name, and the servers that could not say theirs. */
export interface ToolListing {
  readonly tools: readonly CallableTool[];
  readonly unavailable: readonly { readonly server: string; readonly message: string }[];
  /** Tools that the caller may call once they are approved; absent where there are none. */
  readonly held?: readonly HeldTool[] | undefined;
}

/** A tool whose description is not approved, or changed since it was. */
export interface HeldTool extends Pick<CallableTool, "name" | "server" | "tool"> {
  readonly reason: HeldReason;
}

/** Who asks for the tools. */
export interface ToolListOptions {
  /** The virtual key; without one, all tools of all servers are listed, unless keys are required. */
  readonly key?: string | undefined;
  /** The id of the key, where its value is not known: for administration. */
  readonly keyId?: string | undefined;
  readonly signal?: Abortable | undefined;
  /** The caller's own tokens, by server (`userToken` of its settings). */
  readonly toolTokens?: Readonly<Record<string, string>> | undefined;
}

/** Lists the tools that a caller may call. A server that fails or hangs is named in `unavailable`; the others are listed. */
export async function listTools(
  ports: Ports,
  { key, keyId, signal, toolTokens }: ToolListOptions,
): Promise<ToolListing> {
  const access = keyId === undefined ? await accessOf(ports, key) : await accessOfId(ports, keyId);
  const allowed = [...ports.tools].filter(([name]) => !access || entryFor(access, toolProvider(name)));
  const listings = await Promise.all(
    allowed.map(async ([name, server]) => {
      try {
        const userToken = tokenOf(ports, toolTokens, name);
        return { ...(await toolsOf(ports, name, { server, access, signal, userToken })), unavailable: [] };
      } catch (thrown) {
        return { tools: [], held: [], unavailable: [{ server: name, message: toGatewayError(thrown).message }] };
      }
    }),
  );
  const tools = listings.flatMap((listing) => listing.tools);
  const held = listings.flatMap((listing) => listing.held);
  return {
    tools: tools.sort((one, other) => (one.name < other.name ? -1 : 1)),
    unavailable: listings.flatMap(({ unavailable }) => unavailable),
    ...(held.length > 0 ? { held } : {}),
  };
}

/** The caller's token for a server, by its own name and no other. Throws `invalid_request` for a virtual key, which stays here. */
export function tokenOf(
  { accounting }: Pick<Ports, "accounting">,
  tokens: ToolListOptions["toolTokens"],
  server: string,
): string | undefined {
  const token = tokens && Object.hasOwn(tokens, server) ? tokens[server] : undefined;
  if (token === undefined || accounting.hideKeys(token) === token) return token;
  const message = `The token for the MCP server \`${server}\` is a virtual key, which is sent nowhere.`;
  throw new GatewayError("invalid_request", message, { param: "toolTokens" });
}

/** One server, and who asks it for its list. */
interface AskedServer extends DescribedServer {
  readonly access: KeyPermissions | undefined;
}

/** The tools of one server that a caller may call, with their public names, and those that it may call once they are approved. */
export async function toolsOf(
  ports: Ports,
  name: string,
  { access, ...asked }: AskedServer,
): Promise<{ readonly tools: readonly CallableTool[]; readonly held: readonly HeldTool[] }> {
  const all = await describedTools(ports, name, asked);
  const { approval: mode } = asked.server;
  const provider = toolProvider(name);
  const entry = access && entryFor(access, provider);
  const tools = access ? all.filter(({ tool }) => entry?.allows({ provider, model: tool })) : all;
  if (mode === undefined) return { tools, held: [] };
  const reasons = await checkApprovals(ports, name, { tools: all, mode });
  const held = tools.flatMap(({ name: shown, server, tool }): HeldTool[] => {
    const reason = reasons.get(tool);
    return reason ? [{ name: shown, server, tool, reason }] : [];
  });
  return { tools: held.length === 0 ? tools : tools.filter(({ tool }) => !reasons.has(tool)), held };
}
