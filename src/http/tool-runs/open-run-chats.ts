import type { CoreEngine } from "../../engine/engine.ts";
import { hasMcpTools } from "./has-mcp-tools.ts";
import type { RunChats } from "./run-chats.ts";

/** Chats that the gateway runs the tools of, for a body that has such tools; loaded with the first. */
export async function openRunChats(engine: CoreEngine, body: unknown): Promise<RunChats | undefined> {
  if (!hasMcpTools(body)) return undefined;
  const { runChats } = await import("./run-chats.ts");
  return runChats(engine, body);
}
