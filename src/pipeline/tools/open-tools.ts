import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../ports/clock.ts";
import type { ToolServer, ToolServers } from "../../ports/tools/tool-server.ts";
import type { ConfiguredToolServer, OpenToolServer, ToolServerSettings } from "../../ports/tools/tool-settings.ts";

/** What is there already. */
interface PresentTools {
  readonly open: OpenToolServer;
  readonly clock: Clock;
  /** Servers whose settings have not changed stay as they are, with their connections. */
  readonly former: ToolServers | undefined;
}

/** The settings that a server was opened with. */
const settingsOf = new WeakMap<ToolServer, ToolServerSettings>();

/** Opens the configured servers; none is connected before it is asked. */
export function openTools(
  configured: Readonly<Record<string, ConfiguredToolServer>>,
  { open, clock, former }: PresentTools,
): ToolServers {
  const entries = Object.entries(configured).map(([name, server]): [string, ToolServer] => {
    if (isToolServer(server)) return [name, server];
    const present = former?.get(name);
    if (present && isDeepStrictEqual(settingsOf.get(present), server)) return [name, present];
    const opened = open(name, server, clock);
    settingsOf.set(opened, server);
    return [name, opened];
  });
  return new Map(entries);
}

function isToolServer(server: ConfiguredToolServer): server is ToolServer {
  return "callTool" in server;
}
