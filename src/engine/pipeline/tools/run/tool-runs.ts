import type { ChatChunk } from "../../../api/chat.ts";
import type { ToolRunOptions, ToolRunRequest, ToolRunResult } from "./tool-run.ts";

/** Chats whose tools the engine runs: answer, calls, results, answer, until there are no more calls or a bound is met. */
export interface ToolRuns {
  /**
   * Runs a chat to its end. Every turn and every call of an MCP server's tool is a call of the key, with its limits, budgets and a row in
   * the ledger. A call that fails is an answer that the model reads; a turn that fails, or time that is over (`upstream_timeout`), rejects.
   * A turn in which a call is left to the caller makes none of its calls; sent again with the messages, those of MCP servers are made.
   */
  runTools(request: ToolRunRequest, options?: ToolRunOptions): Promise<ToolRunResult>;
  /**
   * The same as one stream: the texts of all turns as they come, and the calls that are left to the caller. `extra_fields.tool_run` of the
   * last chunk is a `ToolRunSummary`. Resolves with the first content.
   */
  streamTools(request: ToolRunRequest, options?: ToolRunOptions): Promise<AsyncIterable<ChatChunk>>;
}
