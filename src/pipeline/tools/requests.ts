import type { ToolCallRequest, ToolCallResponse } from "../../api/mcp/call.ts";
import type { Ports } from "../runtime/ports.ts";
import type { CallTool, ToolCallOptions } from "./call-options.ts";
import type { ContentListing, PromptQuestion } from "./contents.ts";
import type { ToolListing, ToolListOptions } from "./list-tools.ts";

/** Tools of the configured MCP servers, under the same keys, limits and ledger as models. */
export interface ToolRequests {
  /** The tools that a key may call. */
  tools(options?: ToolListOptions): Promise<ToolListing>;
  /**
   * Calls a tool by the name that the list shows. A failure of the tool itself is an answer with `isError`. A tool is asked once: whether it
   * may be asked again after a failure is for the caller to say.
   */
  call(request: ToolCallRequest, options?: ToolCallOptions): Promise<ToolCallResponse>;
  /** The resources and prompts that a key may read. */
  contents(options?: ToolListOptions): Promise<ContentListing>;
  /** The protocol's answer for a resource, by the address that the list shows or a template makes. Throws `not_found`. */
  readResource(uri: string, options?: ToolListOptions): Promise<Readonly<Record<string, unknown>>>;
  /** The protocol's answer for a prompt, by the name that the list shows. Throws `not_found`. */
  readPrompt(prompt: PromptQuestion, options?: ToolListOptions): Promise<Readonly<Record<string, unknown>>>;
  /** Calls back when a server says that its tools changed; the returned function ends that. */
  onToolsChanged(listener: () => void): () => void;
  /** True when there is a tool server. */
  readonly hasServers: boolean;
}

/** The requests to the tools of these ports. What they need is loaded with the first: most programs have none. */
export function toolRequestsOf(ports: Ports): ToolRequests {
  let call: Promise<CallTool> | undefined;
  return {
    hasServers: ports.tools.size > 0,
    tools: async (options = {}) => (await import("./list-tools.ts")).listTools(ports, options),
    async call(request, options = {}) {
      call ??= import("./open-calls.ts").then(({ openToolCalls }) => openToolCalls(ports));
      return (await call)(request, options);
    },
    contents: async (options = {}) => (await import("./contents.ts")).listContents(ports, options),
    readResource: async (uri, options = {}) => (await import("./contents.ts")).readResource(ports, uri, options),
    readPrompt: async (prompt, options = {}) => (await import("./contents.ts")).readPrompt(ports, prompt, options),
    onToolsChanged(listener) {
      const ends = [...ports.tools.values()].map((server) => server.onToolsChanged(listener));
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
