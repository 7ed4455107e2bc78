import type { ToolApprovalMode } from "./approvals.ts";

/** A tool as its server describes it, in the shape of the Model Context Protocol. */
export interface ToolDescription {
  /** The server's own name of the tool. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** JSON Schema of `structuredContent`. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** Hints such as `readOnlyHint`; a server's own claims, which nothing relies on. */
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

/** What a tool answers. A failure of the tool itself is an answer with `isError`. */
export interface ToolAnswer {
  /** Blocks of the protocol: texts, images, sound, resources. */
  readonly content: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: Readonly<Record<string, unknown>> | undefined;
  readonly isError?: boolean | undefined;
}

/** How far a call is. */
export interface ToolProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A request to a tool. */
export interface ToolRequest {
  /** The server's own name of the tool. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How long a server is waited for, and who listens. */
export interface ToolServerCall {
  /** Aborted when the caller leaves or a deadline passes. */
  readonly signal: AbortSignal;
  /** Receives each report of progress; a server sends none that is not asked for. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** The caller's own token, for a server with `userTokenHeader`. */
  readonly userToken?: string | undefined;
}

/** A resource, a template of resources (`uriTemplate`), or a prompt, in the shape of the protocol. */
export type ContentDescription = Readonly<Record<string, unknown>> & { readonly name: string };

/** What a server offers to be read beside its tools. */
export interface ServerContents {
  readonly resources: readonly (ContentDescription & { readonly uri: string })[];
  readonly templates: readonly (ContentDescription & { readonly uriTemplate: string })[];
  readonly prompts: readonly ContentDescription[];
}

/** A prompt with the values of its arguments. */
export interface PromptRequest {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** How a connection to a server is. */
export interface ToolServerState {
  /** `idle`: it was not asked yet, or its connection was lost since; `failing`: the last attempt to connect failed. */
  readonly state: "idle" | "connecting" | "connected" | "failing";
  /** Why it is failing. */
  readonly message?: string | undefined;
  /** Milliseconds in which there is no other attempt. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A server of tools. Failures are thrown as `GatewayError`: `upstream_unreachable`, `upstream_timeout`, `upstream_error` with the server's
 * words, `upstream_invalid_response`. A call is sent once at most: asking again may act twice.
 */
export interface ToolServer {
  /** All tools of the server. The list may be the one read before, as long as the server has not said that it changed. */
  listTools(call: ToolServerCall): Promise<readonly ToolDescription[]>;
  callTool(request: ToolRequest, call: ToolServerCall): Promise<ToolAnswer>;
  /** What can be read; a server without these three offers nothing. */
  listContents?(call: ToolServerCall): Promise<ServerContents>;
  /** The protocol's answer to a resource's address: `{ contents }`. */
  readResource?(uri: string, call: ToolServerCall): Promise<Readonly<Record<string, unknown>>>;
  /** The protocol's answer to a prompt: `{ messages }`. */
  readPrompt?(prompt: PromptRequest, call: ToolServerCall): Promise<Readonly<Record<string, unknown>>>;
  /** Whether its descriptions are approved before anybody sees them; not by default. */
  readonly approval?: ToolApprovalMode | undefined;
  /** How it is reached: over HTTP, or by the standard input and output of a process; absent for a server of the program's own. */
  readonly transport?: "http" | "stdio" | undefined;
  /** The header that callers send their own token for this server in, in lower case; absent where it takes none. */
  readonly userTokenHeader?: string | undefined;
  /** How its connection is; a server without this method has none to speak of. */
  state?(): ToolServerState;
  /** US dollars for one call of a tool; 0 where it costs nothing. */
  priceOf(tool: string): number;
  /** Calls back when the server says that its tools changed; the returned function ends that. */
  onToolsChanged(listener: () => void): () => void;
  /** Ends the connection and the server's process, if it has one. */
  close(): Promise<void>;
}

/** Tool servers by their names. */
export type ToolServers = ReadonlyMap<string, ToolServer>;

/** What the names of tool servers stand behind where a provider's name is expected: `mcp.github/create_issue`. */
const prefix = "mcp.";

/** The name of a tool server where a provider's name is expected. */
export function toolProvider(server: string): string {
  return `${prefix}${server}`;
}

/** Whether a provider's name is that of a tool server. */
export function isToolProvider(provider: string): boolean {
  return provider.startsWith(prefix);
}

/** The tool server behind a provider's name that {@link toolProvider} made. */
export function toolServerOf(provider: string): string {
  return provider.slice(prefix.length);
}
