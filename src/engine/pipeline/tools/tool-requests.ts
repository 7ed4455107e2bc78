import type { ToolCallRequest, ToolCallResponse } from "../../api/mcp/call.ts";
import type { ApprovedTool, ToolApprovalRequest } from "./approvals/approve.ts";
import type { ToolCallOptions } from "./call-options.ts";
import type { ContentListing, PromptQuestion } from "./contents.ts";
import type { ToolListing, ToolListOptions } from "./list-tools.ts";
import type { ReviewedServer, ToolReviewRequest } from "./review-tools.ts";
import type { ToolQuery } from "./search-tools.ts";

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
  /**
   * Approves tools as their server describes them now, for servers with `approval`; gives those that were new or changed. Throws
   * `not_found` for an unknown server, and `invalid_configuration` without a store.
   */
  approve(request: ToolApprovalRequest): Promise<readonly ApprovedTool[]>;
  /** The configured servers, how their connections are, and all of their tools, held ones included: for administration. */
  review(request?: ToolReviewRequest): Promise<readonly ReviewedServer[]>;
  /** Calls back when a server says that its tools changed; the returned function ends that. */
  onToolsChanged(listener: () => void): () => void;
  /** The tools that a key may call and that share words with a query, the best first. */
  search(query: ToolQuery, options?: ToolListOptions): Promise<ToolListing>;
  /** The headers in which callers send their own tokens, by server; empty where no server takes them. */
  readonly tokenHeaders: readonly (readonly [server: string, header: string])[];
  /** True when there is a tool server. */
  readonly hasServers: boolean;
  /** True where clients of `/mcp` see a search in place of all tools (`mcp.search`). */
  readonly isSearched: boolean;
}

/** The requests that are loaded with the first. */
export type LateToolRequests = Omit<ToolRequests, "hasServers" | "isSearched" | "tokenHeaders" | "onToolsChanged">;
