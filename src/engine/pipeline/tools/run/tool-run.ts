import type { ChatResponse } from "../../../api/chat.ts";
import type { ChatMessage } from "../../../api/message.ts";
import type { SentChatRequest, SentTool } from "../../../api/sent/requests.ts";
import type { Usage } from "../../../api/usage.ts";
import type { ToolProgress } from "../../../ports/tools/tool-server.ts";
import type { MaybePromise } from "../../../runtime/maybe-promise.ts";
import type { CallOptions } from "../../call/options.ts";
import type { CallableTool } from "../described-tools.ts";
import type { ToolListing } from "../list-tools.ts";

/** What a function of this process may use while it runs. */
export interface LocalToolCall {
  /** The model's id of the call. */
  readonly id: string;
  /** Aborted when the caller leaves or the time of the run is over. */
  readonly signal: AbortSignal;
}

/** A function of this process as a tool. */
export interface LocalTool {
  /** What the model calls it by: 1 to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  /** What it is for, as the model reads it. */
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. They are what the model wrote: the function checks them. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Answers with a text, or with what JSON can hold. The message of what it throws is the answer that the model reads. */
  run(provided: Record<string, unknown>, call: LocalToolCall): unknown;
}

/** Tools of one server, by their own names there; all that the key may call unless `tools` names some. */
export interface ServerTools {
  /** The name of the server in `mcp.servers`. */
  readonly server: string;
  /** The server's own names of its tools; all that the key may call unless given. */
  readonly tools?: readonly string[] | undefined;
  /** Only tools that their server says to be read-only: its own claim. */
  readonly read_only?: boolean | undefined;
}

/** A chat request whose tools the engine runs. Every other field of a chat request goes to the model with each turn. */
export interface ToolRunRequest extends Omit<SentChatRequest, "tools" | "stream" | "extra"> {
  /** Functions of this process, and tools in the wire's form, whose calls end the run: the caller answers those itself. */
  readonly tools?: readonly (LocalTool | SentTool)[] | undefined;
  /** Tools of MCP servers: patterns of public names (`github__*`), or a server with names of its tools. None unless given. */
  readonly mcp?: readonly (string | ServerTools)[] | undefined;
  /** Fields that are new at a vendor, of each turn. */
  readonly extra?: SentChatRequest["extra"];
}

/** A call that a model asked for. */
export interface AskedToolCall {
  /** The model's id of the call. */
  readonly id: string;
  /** The name that the model used. */
  readonly name: string;
  /** `undefined` where the model wrote no JSON object. */
  readonly arguments: Record<string, unknown> | undefined;
  /** The tool of an MCP server; `undefined` for a function of this process. */
  readonly tool: CallableTool | undefined;
  /** True for a call of the request's own last message, which a run before this one left. */
  readonly isResumed: boolean;
}

/** Whether a call is made: `false`, or a reason in words, is what the model reads; `"ask"` ends the run and leaves the call to the caller. */
export type Approval = boolean | "ask" | { readonly refused: string };

/** What happens in a run. */
export type ToolRunEvent =
  | { readonly type: "turn"; readonly turn: ToolRunTurn }
  | { readonly type: "approval"; readonly call: AskedToolCall; readonly approval: Approval }
  | { readonly type: "call"; readonly call: AskedToolCall }
  | { readonly type: "progress"; readonly call: AskedToolCall; readonly progress: ToolProgress }
  | { readonly type: "result"; readonly result: ToolRunCall };

/** What a run may use, and who follows it. What is said of a single call holds for each turn. */
export interface ToolRunOptions
  extends Omit<CallOptions, "responses" | "source" | "onQueued" | "onToolProgress" | "signal"> {
  /** An `AbortSignal`: aborting it ends the run and its calls at once. */
  readonly signal?: CallOptions["signal"];
  /** Answers of the model, 1 to 100; 10 by default. */
  readonly maxTurns?: number | undefined;
  /** Calls of tools, 0 to 1,000; 50 by default. */
  readonly maxCalls?: number | undefined;
  /** US dollars; looked at before each turn and each call, so that the last one may pass it. Budgets of the key are hard. */
  readonly maxCost?: number | undefined;
  /** Milliseconds of the whole run, up to a day; 600,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Asked before each call of a known tool; without it, every call is made. */
  readonly approve?: ((call: AskedToolCall) => MaybePromise<Approval>) | undefined;
  /** Receives what happens; what it throws becomes a process warning. */
  readonly onEvent?: ((event: ToolRunEvent) => void) | undefined;
}

/** A call that was made, or was not. */
export interface ToolRunCall {
  /** The model's id of the call. */
  readonly id: string;
  /** The name that the model used. */
  readonly name: string;
  /** The server and its own name of the tool; absent for functions of this process and for unknown tools. */
  readonly server?: string | undefined;
  /** The server's own name of the tool. */
  readonly tool?: string | undefined;
  /** The JSON text that the model wrote. */
  readonly arguments: string;
  /** `failed`: the tool failed, or could not be asked. `left`: the caller's to answer, or to approve. */
  readonly outcome: "answered" | "failed" | "refused" | "unknown" | "left";
  /** What the model read. */
  readonly output?: string | undefined;
  /** US dollars. */
  readonly cost: number;
}

/** One answer of the model, and what became of the calls in it. */
export interface ToolRunTurn {
  /** The id of the answer. A turn that only has the calls which a run before this one left has none. */
  readonly id?: string | undefined;
  /** What the model said in this turn; absent where it only called tools. */
  readonly text?: string | undefined;
  /** Why the model ended: `stop`, `tool_calls`, `length`, … */
  readonly finish_reason?: string | null | undefined;
  /** Tokens and cost of this turn. */
  readonly usage?: Usage | undefined;
  /** The calls that the model asked for, in order. */
  readonly calls: readonly ToolRunCall[];
}

/** Why a run ended: with an answer, with calls that are the caller's, or at a bound. */
export type ToolRunEnding = "completed" | "tool_calls" | "max_turns" | "max_calls" | "max_cost";

/** What a run did. */
export interface ToolRunSummary {
  /** Why the run ended. */
  readonly ended: ToolRunEnding;
  /** The answers of the model, in order. */
  readonly turns: readonly ToolRunTurn[];
  /** US dollars of all turns and calls; what has no price counts nothing. */
  readonly cost: number;
  /** The tools of MCP servers that the model could call. */
  readonly tools: readonly CallableTool[];
  /** The servers that could not be asked for their tools, and why. */
  readonly unavailable: ToolListing["unavailable"];
}

/** The last answer and how it came to be. */
export interface ToolRunResult extends ToolRunSummary {
  /** The answer of the last turn; its `usage` is that of all turns and calls together. */
  readonly answer: ChatResponse;
  /** The conversation with all that the run added: what the next request begins with. */
  readonly messages: readonly ChatMessage[];
}
