import { z } from "zod";
import { longestModel } from "../../api/common.ts";
import type { ToolCallResponse } from "../../api/mcp/call.ts";
import { nothing } from "../../metering/usage-bound.ts";
import type { ToolAnswer } from "../../ports/tools/tool-server.ts";
import { noteArguments, noteResult } from "../accounting/tool-content.ts";
import { requestParserOf } from "../call/parse.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import type { Verb } from "../verbs/verb.ts";
import { askServer, routeByName } from "./route-to-tool.ts";

/** A call of a tool as the pipeline sees it: the tool's public name stands where a model's does. */
const RoutedToolCall = z.looseObject({
  model: z.string().min(1).max(longestModel),
  arguments: z.record(z.string(), z.unknown()),
});
type RoutedToolCall = z.infer<typeof RoutedToolCall>;

/** A tool reads no tokens; what its call costs is a price of its own. */
const noTokens = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

type MeteredToolAnswer = ToolAnswer & Pick<ToolCallResponse, "usage">;

export const callTool: Verb<RoutedToolCall, MeteredToolAnswer, ToolCallResponse> = {
  requestType: "tool_call",
  route: (call, { model }) => routeByName(call, model),
  parse: requestParserOf(RoutedToolCall),
  async ask(_provider, request, attempt) {
    noteArguments(attempt.call, attempt.target.provider, request.arguments);
    return { ...(await askServer(attempt, request.arguments)), usage: noTokens };
  },
  async deliver({ call }, served) {
    if (!call.middleware) noteResult(call, served.answer);
    return (await deliverWhole(call, served)) as ToolCallResponse;
  },
  discard: discardWhole,
  bound: () => nothing,
};
