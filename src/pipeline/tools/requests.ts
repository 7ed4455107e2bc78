import { ToolCallRequest, type ToolCallResponse } from "../../api/mcp/call.ts";
import type { ToolProgress } from "../../ports/tools/tool-server.ts";
import type { CallOptions } from "../call/options.ts";
import { parserOf } from "../call/parse.ts";
import { pipelineOf } from "../run.ts";
import type { Ports } from "../runtime/ports.ts";
import { callTool } from "./call-tool.ts";
import { listTools, type ToolListing, type ToolListOptions } from "./list-tools.ts";

/** What a caller of a tool may set; a tool has no stream, no cache and no second candidate. */
export type ToolCallOptions = Pick<CallOptions, "key" | "keyId" | "signal" | "eventId" | "timeouts" | "onRates"> & {
  /** Receives each report of progress that the server makes. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
};

/** Tools of the configured MCP servers, under the same keys, limits and ledger as models. */
export interface ToolRequests {
  /** The tools that a key may call. */
  tools(options?: ToolListOptions): Promise<ToolListing>;
  /**
   * Calls a tool by the name that the list shows. A failure of the tool itself is an answer with `isError`. A tool is asked once: whether it
   * may be asked again after a failure is for the caller to say.
   */
  call(request: ToolCallRequest, options?: ToolCallOptions): Promise<ToolCallResponse>;
  /** Calls back when a server says that its tools changed; the returned function ends that. */
  onToolsChanged(listener: () => void): () => void;
  /** True when there is a tool server. */
  readonly hasServers: boolean;
}

const parse = parserOf(ToolCallRequest);

/** The requests to the tools of these ports. */
export function toolRequestsOf(ports: Ports): ToolRequests {
  const once = Object.freeze({
    ...ports,
    retry: { ...ports.retry, retries: 0 },
    routing: { ...ports.routing, hedge: undefined },
    cache: undefined,
  });
  const call = pipelineOf(once, callTool);
  return {
    hasServers: ports.tools.size > 0,
    tools: (options = {}) => listTools(ports, options),
    async call(request, { onProgress: onToolProgress, ...options } = {}) {
      const { name, arguments: provided } = parse(request);
      return call({ model: name, arguments: provided }, { ...options, onToolProgress });
    },
    onToolsChanged(listener) {
      const ends = [...ports.tools.values()].map((server) => server.onToolsChanged(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
