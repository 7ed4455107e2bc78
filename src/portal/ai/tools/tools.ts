import { GatewayError } from "../../../engine/errors.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiTool } from "../../../operations/portal/tenancy/ai/tools.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { read } from "../../tenancy/record-access.ts";
import { depthOf } from "../../tenancy/tenant-scope.ts";
import { refuseTenants } from "../costs/provider-only.ts";
import { listToolAccess } from "./access.ts";
import { showReviewedTool, showServer, showTool } from "./show.ts";

/** Milliseconds that a server may take to say its tools to the portal. */
const reviewMs = 5_000;

/** The tools of MCP servers. Tenants see those that their keys may call, and nothing else of the servers. */
export function toolsOf(deps: PortalDeps) {
  const { engine } = deps;
  return {
    async toolServers(_input, call) {
      if (depthOf(call.caller.scope) > 0) return [];
      const circuits = engine.health().filter(({ state }) => state !== "closed");
      const servers = await engine.mcp.review({ timeoutMs: reviewMs });
      return servers.map((server) => showServer(server, circuits, call.now));
    },
    tools: (input, call) => listTools(deps, input, call),
    toolAccess: (input, call) => listToolAccess(deps, input, call),
    async approveTools({ server, tools }, call) {
      refuseTenants(call, "What servers say of their tools is approved by the provider.");
      const approved = await engine.mcp.approve({ server, tools });
      return [...approved];
    },
  } satisfies AreaBackend<"ai">;
}

async function listTools(
  { engine }: PortalDeps,
  { server, key_id }: InputOf<Areas["ai"]["tools"]>,
  call: PortalCall,
): Promise<AiTool[]> {
  if (key_id !== undefined) {
    const { id } = await read(call.records, "key", key_id);
    const { tools } = await engine.mcp.tools({ keyId: id });
    return tools.filter((each) => server === undefined || each.server === server).map(showTool);
  }
  if (depthOf(call.caller.scope) > 0) return [];
  const servers = await engine.mcp.review({
    timeoutMs: reviewMs,
    ...(server === undefined ? {} : { servers: [server] }),
  });
  const [first] = servers;
  if (server !== undefined && !first)
    throw new GatewayError("not_found", `No MCP server \`${server}\` is configured.`, { param: "server" });
  if (server !== undefined && first?.message !== undefined)
    throw new GatewayError("upstream_unreachable", first.message);
  return servers.flatMap(({ tools = [] }) => tools.map(showReviewedTool));
}
