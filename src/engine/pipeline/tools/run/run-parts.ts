import type { Clock } from "../../../ports/clock.ts";
import type { Requests } from "../../requests.ts";
import type { ToolRequests } from "../tool-requests.ts";

/** What runs consist of: calls of models and of tools, each governed like any other. */
export interface RunParts {
  readonly requests: Pick<Requests, "chat" | "streamChat">;
  readonly mcp: Pick<ToolRequests, "tools" | "call">;
  readonly ports: { readonly clock: Clock };
}
