import { isDeepStrictEqual } from "node:util";
import { GatewayError } from "../../errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ToolServer, ToolServers } from "../../ports/tools/tool-server.ts";
import type { ConfiguredToolServer, OpenToolServer, ToolServerSettings } from "../../ports/tools/tool-settings.ts";
import type { Transport } from "../../ports/transport.ts";

/** What is there already. */
interface PresentTools {
  readonly open: OpenToolServer;
  readonly clock: Clock;
  /** How requests over HTTP leave the machine. */
  readonly transport: Transport | undefined;
  /** Servers whose settings have not changed stay as they are, with their connections. */
  readonly former: ToolServers | undefined;
  /** Approved descriptions can be kept. */
  readonly hasStore: boolean;
}

/** The settings that a server was opened with, and what it is reached over. */
const openedWith = new WeakMap<ToolServer, readonly [ToolServerSettings, Transport | undefined]>();

/** Opens the configured servers; none is connected before it is asked. */
export function openTools(
  configured: Readonly<Record<string, ConfiguredToolServer>>,
  { open, clock, transport, former, hasStore }: PresentTools,
): ToolServers {
  const entries = Object.entries(configured).map(([name, server]): [string, ToolServer] => {
    const param = `mcp.servers.${name}.approval`;
    if (server.approval && !hasStore)
      throw new GatewayError("invalid_configuration", `\`${param}\` needs a store.`, { param });
    if (isToolServer(server)) return [name, server];
    const present = former?.get(name);
    const [settings, way] = (present && openedWith.get(present)) ?? [];
    if (present && way === transport && isDeepStrictEqual(settings, server)) return [name, present];
    const opened = open(name, server, { clock, transport });
    openedWith.set(opened, [server, transport]);
    return [name, opened];
  });
  return new Map(entries);
}

function isToolServer(server: ConfiguredToolServer): server is ToolServer {
  return "callTool" in server;
}
