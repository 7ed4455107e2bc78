import { GatewayError } from "../../errors.ts";
import { type ToolAnswer, toolProvider, toolServerOf } from "../../ports/tools/tool-server.ts";
import { formatModelName } from "../../routing/model-name.ts";
import type { Attempt } from "../attempts/attempt.ts";
import type { Call } from "../call/call.ts";
import { withinDeadline } from "../call/within-deadline.ts";
import type { Route } from "../routing/route.ts";
import { type HeldTool, tokenOf, toolsOf } from "./list-tools.ts";
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
  const userToken = tokenOf(ports, options.toolTokens, serverName);
  const { tools, held } = await toolsOf(ports, serverName, { server, access, signal: options.signal, userToken });
  const found = tools.find((tool) => tool.name === name);
  const waiting = found ? undefined : held.find((tool) => tool.name === name);
  if (waiting)
    return { targets: [], skipped: [{ entry: name, reason: "model_blocked", message: heldMessage(waiting) }] };
  if (!found) return none;
  const target = { provider: toolProvider(serverName), model: found.tool };
  return { targets: [{ ...target, name: formatModelName(target) }], skipped: [] };
}

function heldMessage({ name, server, reason }: HeldTool): string {
  const problem = reason === "new" ? "is not approved" : "changed since it was approved";
  return `The description of \`${name}\` ${problem}: it is not called until \`tollgate mcp approve ${server}\`.`;
}

/** Asks the tool of an attempt, with the caller's own token where its server wants one. */
export function askServer(
  { call, target, signal }: Attempt,
  provided: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const { ports, options } = call;
  const name = toolServerOf(target.provider);
  const server = ports.tools.get(name);
  if (!server) throw new GatewayError("internal", "The plan names no tool server.");
  const userToken = tokenOf(ports, options.toolTokens, name);
  const waiting = { signal, onProgress: options.onToolProgress, userToken };
  return server.callTool({ name: target.model, arguments: provided }, waiting);
}
