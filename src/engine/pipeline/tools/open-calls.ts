import { ToolCallRequest } from "../../api/mcp/call.ts";
import { parserOf } from "../call/parse.ts";
import { pipelineOf } from "../run.ts";
import type { Ports } from "../runtime/ports.ts";
import type { CallTool } from "./call-options.ts";
import { callTool } from "./call-tool.ts";

const parse = parserOf(ToolCallRequest);

/** The pipeline of tool calls over these ports: each tool is asked once, whatever is configured for models. */
export function openToolCalls(ports: Ports): CallTool {
  const once = Object.freeze({
    ...ports,
    retry: { ...ports.retry, retries: 0 },
    routing: { ...ports.routing, hedge: undefined },
    cache: undefined,
  });
  const call = pipelineOf(once, callTool);
  return async (request, { onProgress: onToolProgress, ...options }) => {
    const { name, arguments: provided } = parse(request);
    return call({ model: name, arguments: provided }, { ...options, onToolProgress });
  };
}
