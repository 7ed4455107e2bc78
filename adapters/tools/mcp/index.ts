import type { ToolServer } from "../../../src/engine/ports/tools/tool-server.ts";
import type { ToolServerSettings, ToolServerWorld } from "../../../src/engine/ports/tools/tool-settings.ts";
import { lateMethods } from "../../../src/engine/runtime/late-methods.ts";
import type { ReachedServer, ReachInput } from "./server.ts";
import { checkSettings } from "./settings.ts";

/**
 * A server of the Model Context Protocol, over streamable HTTP or the standard input and output of a process of its own. What it needs is
 * loaded with the first question. Throws `invalid_configuration` for settings that are none.
 */
export function openToolServer(name: string, settings: ToolServerSettings, world: ToolServerWorld): ToolServer {
  const checked = checkSettings(name, settings);
  const listeners = new Set<() => void>();
  const onToolsChanged = () => {
    for (const listener of listeners) listener();
  };
  let reached: Promise<ReachedServer> | undefined;
  let server: ReachedServer | undefined;
  const reach = () => {
    reached ??= open({ ...world, name, settings: checked, onToolsChanged }).then((opened) => {
      server = opened;
      return opened;
    });
    return reached;
  };
  return {
    ...lateMethods(reach, ["listTools", "callTool", "listContents", "readResource", "readPrompt"]),
    approval: checked.approval,
    transport: checked.url ? "http" : "stdio",
    userTokenHeader: checked.userToken?.header,
    state: () => server?.state() ?? { state: "idle" },
    priceOf: (tool) => priceOf(checked, tool),
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => (await reached)?.close(),
  };
}

async function open(input: ReachInput): Promise<ReachedServer> {
  if (input.settings.userToken) return (await import("./user-sessions.ts")).openUserSessions(input);
  return (await import("./server.ts")).reachServer(input);
}

function priceOf({ price = 0 }: ToolServerSettings, tool: string): number {
  if (typeof price === "number") return price;
  return (Object.hasOwn(price, tool) ? price[tool] : undefined) ?? price["*"] ?? 0;
}
