import { toolProvider } from "../../ports/tools/tool-server.ts";
import { formatModelName } from "../../routing/model-name.ts";
import type { Call } from "../call/call.ts";
import { withinDeadline } from "../call/within-deadline.ts";
import type { Route } from "../routing/route.ts";
import { toolsOf } from "./list-tools.ts";
import { serverOf, unknownToolMessage } from "./tool-names.ts";

/** The route of a call of a tool, found within the call's deadline. */
export function routeByName(call: Call, name: string): Promise<Route> {
  return withinDeadline(call, routeToTool(call, name));
}

/**
 * The one target of a call. What the key does not list is not called, whatever the server lists by now: the entry is asked again with the
 * server's own name of the tool.
 */
async function routeToTool(call: Call, name: string): Promise<Route> {
  const { ports, access, options } = call;
  const none: Route = {
    targets: [],
    skipped: [{ entry: name, reason: "model_blocked", message: unknownToolMessage(name) }],
  };
  const serverName = serverOf(name);
  const server = ports.tools.get(serverName);
  if (!server) return none;
  const tools = await toolsOf(ports, serverName, { server, access, signal: options.signal });
  const found = tools.find((tool) => tool.name === name);
  if (!found) return none;
  const target = { provider: toolProvider(serverName), model: found.tool };
  return { targets: [{ ...target, name: formatModelName(target) }], skipped: [] };
}
