import type { ChatResponse } from "../../engine/api/chat.ts";
import type { SentChatRequest } from "../../engine/api/sent/requests.ts";
import type { CallOptions, CoreEngine } from "../../engine/engine.ts";
import type { ToolRunOptions, ToolRunRequest, ToolRunResult } from "../../engine/pipeline/tools/run/tool-run.ts";
import type { McpBody } from "./has-mcp-tools.ts";
import { readMcpRun } from "./mcp-tools.ts";

/** Chats whose tools of MCP servers the gateway runs. */
export interface RunChats extends Pick<CoreEngine, "chat" | "streamChat"> {
  /** What fields of the run are in the body. */
  readonly origins: ReadonlyMap<string, string>;
}

/** Chats for a body with tools of type `mcp`: they are asked with that body. Throws `invalid_request` for tools that are none. */
export function runChats(engine: CoreEngine, body: McpBody): RunChats {
  const { origins, tools, mcp, options: own } = readMcpRun(engine, body);
  const requestOf = ({
    tools: _all,
    max_tool_calls: _limit,
    ...rest
  }: SentChatRequest & { readonly max_tool_calls?: unknown }) =>
    ({ ...rest, mcp, ...(tools.length > 0 ? { tools } : {}) }) as ToolRunRequest; // the run checks it
  return {
    origins,
    chat: async (request, options = {}) =>
      answerOf(await engine.runTools(requestOf(request), { ...turnOptions(options), ...own })),
    streamChat: (request, options = {}) => engine.streamTools(requestOf(request), { ...turnOptions(options), ...own }),
  };
}

/** What of a request's options holds for each turn: its bytes are those of the first only. */
export function turnOptions(options: CallOptions): ToolRunOptions {
  const { responses: _responses, source: _source, onQueued: _queued, onToolProgress: _progress, ...rest } = options;
  return rest;
}

/** A run as one answer: the texts of its turns, and what was done. */
function answerOf({ answer, messages: _messages, tools: _tools, ...summary }: ToolRunResult): ChatResponse {
  const texts = summary.turns.flatMap(({ text }) => text ?? []);
  const [choice, ...others] = answer.choices;
  const content = texts.length > 1 && choice ? { message: { ...choice.message, content: texts.join("\n\n") } } : {};
  return {
    ...answer,
    choices: choice ? [{ ...choice, ...content }, ...others] : [],
    extra_fields: { request_type: "chat_completion", ...answer.extra_fields, tool_run: summary },
  };
}
