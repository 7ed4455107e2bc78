import { ToolCallRequest } from "../../api/mcp/call.ts";
import { parserOf } from "../call/parse.ts";
import { pipelineOf } from "../run.ts";
import type { Ports } from "../runtime/ports.ts";
import { approveTools } from "./approvals/approve.ts";
import type { CallTool } from "./call-options.ts";
import { callTool } from "./call-tool.ts";
import { listTools } from "./list-tools.ts";
import type { RunParts } from "./run/run-parts.ts";
import { runTools } from "./run/run-tools.ts";
import { streamTools } from "./run/stream-tools.ts";
import type { ToolRuns } from "./run/tool-runs.ts";
import type { LateToolRequests } from "./tool-requests.ts";

const parse = parserOf(ToolCallRequest);

/** The pipeline of tool calls over these ports: each tool is asked once, whatever is configured for models. */
function openToolCalls(ports: Ports): CallTool {
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

/** The requests to the tools of these ports. */
export function openToolRequests(ports: Ports): LateToolRequests {
  let call: CallTool | undefined;
  return {
    tools: (options = {}) => listTools(ports, options),
    async search(query, options = {}) {
      const { rankTools } = await import("./search-tools.ts");
      const { tools, ...rest } = await listTools(ports, options);
      return { ...rest, tools: await rankTools(tools, query) };
    },
    call(request, options = {}) {
      call ??= openToolCalls(ports);
      return call(request, options);
    },
    contents: async (options = {}) => (await import("./contents.ts")).listContents(ports, options),
    readResource: async (uri, options = {}) => (await import("./contents.ts")).readResource(ports, uri, options),
    readPrompt: async (prompt, options = {}) => (await import("./contents.ts")).readPrompt(ports, prompt, options),
    review: async (request = {}) => (await import("./review-tools.ts")).reviewTools(ports, request),
    approve: (request) => approveTools(ports, request),
  };
}

/** Runs over these parts. */
export function openToolRuns(parts: RunParts): ToolRuns {
  return {
    runTools: (request, options = {}) => runTools(parts, request, options),
    streamTools: (request, options = {}) => streamTools(parts, request, options),
  };
}
