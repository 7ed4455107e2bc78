import type { Clock } from "../../../src/ports/clock.ts";
import type { ToolServer } from "../../../src/ports/tools/tool-server.ts";
import type { ToolServerSettings } from "../../../src/ports/tools/tool-settings.ts";
import type { ReachedServer } from "./server.ts";
import { checkSettings } from "./settings.ts";

/**
 * A server of the Model Context Protocol, over streamable HTTP or the standard input and output of a process of its own. What it needs is
 * loaded with the first question. Throws `invalid_configuration` for settings that are none.
 */
export function openToolServer(name: string, settings: ToolServerSettings, clock: Clock): ToolServer {
  const checked = checkSettings(name, settings);
  const listeners = new Set<() => void>();
  const onToolsChanged = () => {
    for (const listener of listeners) listener();
  };
  let reached: Promise<ReachedServer> | undefined;
  const reach = () => {
    reached ??= import("./server.ts").then(({ reachServer }) =>
      reachServer({ name, settings: checked, clock, onToolsChanged }),
    );
    return reached;
  };
  return {
    listTools: async (call) => (await reach()).listTools(call),
    callTool: async (request, call) => (await reach()).callTool(request, call),
    listContents: async (call) => (await reach()).listContents(call),
    readResource: async (uri, call) => (await reach()).readResource(uri, call),
    readPrompt: async (prompt, call) => (await reach()).readPrompt(prompt, call),
    priceOf: (tool) => priceOf(checked, tool),
    onToolsChanged(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => (await reached)?.close(),
  };
}

function priceOf({ price = 0 }: ToolServerSettings, tool: string): number {
  if (typeof price === "number") return price;
  return (Object.hasOwn(price, tool) ? price[tool] : undefined) ?? price["*"] ?? 0;
}
