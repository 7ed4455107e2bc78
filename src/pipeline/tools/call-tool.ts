import { z } from "zod";
import { longestModel } from "../../api/common.ts";
import type { ToolCallResponse } from "../../api/mcp/call.ts";
import { GatewayError } from "../../errors.ts";
import { nothing } from "../../metering/usage-bound.ts";
import { type ToolAnswer, type ToolServer, toolServerOf } from "../../ports/tools/tool-server.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { requestParserOf } from "../call/parse.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import type { Verb } from "../verbs/verb.ts";
import { routeByName } from "./route-to-tool.ts";

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
    const { target, signal, call } = attempt;
    const server = serverFor(attempt);
    const { onToolProgress: onProgress } = call.options;
    const result = await server.callTool({ name: target.model, arguments: request.arguments }, { signal, onProgress });
    return { ...result, usage: noTokens };
  },
  deliver: async ({ call }, served) => (await deliverWhole(call, served)) as ToolCallResponse,
  discard: discardWhole,
  bound: () => nothing,
};

function serverFor({ call, target }: Attempt): ToolServer {
  const server = call.ports.tools.get(toolServerOf(target.provider));
  if (server) return server;
  throw new GatewayError("internal", "The plan names no tool server.");
}
