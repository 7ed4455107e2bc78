import type { McpCeiling } from "../../../engine/api/mcp/access.ts";
import { entryOf, testTools } from "../../../engine/policy/tools/test-tools.ts";
import { toolProvider } from "../../../engine/ports/tools/tool-server.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiToolAccess } from "../../../operations/portal/tenancy/ai/tools.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { isActive } from "../keys/show-key.ts";
import { readFamilies } from "../parents.ts";

type AccessInput = InputOf<Areas["ai"]["toolAccess"]>;

/** Lists the keys that may call a tool, then the projects and customers whose own patterns allow it. Without a tool, all with an entry for the server. */
export async function listToolAccess(deps: PortalDeps, asked: AccessInput, call: PortalCall): Promise<AiToolAccess[]> {
  const keys = (await readAll(call.records, "key")).filter(({ mcp_configs = [] }) =>
    entryOf(mcp_configs, asked.server),
  );
  const families = await readFamilies(deps.records, call, keys);
  const shown = families.flatMap(({ key, user, project, customer }): AiToolAccess[] => {
    const entry = entryOf(key.mcp_configs ?? [], asked.server);
    if (!entry || !isAllowed(asked, testTools(entry, { project, customer }))) return [];
    return [{ level: "key", id: key.id, name: key.name, is_active: isActive(key, user), ...showEntry(entry) }];
  });
  const owners = (["project", "customer"] as const).map(async (level): Promise<AiToolAccess[]> => {
    const records = await readAll(call.records, level);
    return records.flatMap(({ id, name, active, mcp_configs = [] }) => {
      const entry = entryOf(mcp_configs, asked.server);
      const test = entry && testTools({ ...entry, budgets: [], rate_limits: [] }, {});
      return entry && test && isAllowed(asked, test)
        ? [{ level, id, name, is_active: active, ...showEntry(entry) }]
        : [];
    });
  });
  return [...shown, ...(await Promise.all(owners)).flat()];
}

function isAllowed({ server, tool }: AccessInput, test: ReturnType<typeof testTools>): boolean {
  return tool === undefined || test({ provider: toolProvider(server), model: tool });
}

function showEntry({ server, allowed_tools, blocked_tools }: McpCeiling) {
  return { server, allowed_tools: [...allowed_tools], blocked_tools: [...blocked_tools] };
}
