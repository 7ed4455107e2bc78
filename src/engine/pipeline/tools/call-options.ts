import type { ToolCallRequest, ToolCallResponse } from "../../api/mcp/call.ts";
import type { ToolProgress } from "../../ports/tools/tool-server.ts";
import type { CallOptions } from "../call/options.ts";

/** What a caller of a tool may set; a tool has no stream, no cache and no second candidate. */
export type ToolCallOptions = Pick<
  CallOptions,
  "key" | "keyId" | "signal" | "eventId" | "timeouts" | "onRates" | "middleware" | "toolTokens"
> & {
  /** Receives each report of progress that the server makes. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
};

/** Calls a tool, whose request has not been read. */
export type CallTool = (request: ToolCallRequest, options: ToolCallOptions) => Promise<ToolCallResponse>;
