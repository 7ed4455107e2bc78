/** The parts of the Messages API that are read and written here. Answers are foreign: every field may be absent or null. */

export interface CacheMark {
  readonly type: "ephemeral";
  readonly ttl?: "5m" | "1h" | undefined;
}

type Source =
  | { readonly type: "base64"; readonly media_type: string; readonly data: string }
  | { readonly type: "text"; readonly media_type: "text/plain"; readonly data: string }
  | { readonly type: "url"; readonly url: string }
  | { readonly type: "file"; readonly file_id: string };

interface Cached {
  readonly cache_control?: CacheMark | undefined;
}

export interface TextBlock extends Cached {
  readonly type: "text";
  readonly text: string;
}

/** A block of a request's message. */
export type Block =
  | TextBlock
  | (Cached & { readonly type: "image"; readonly source: Source })
  | (Cached & { readonly type: "document"; readonly source: Source; readonly title?: string | undefined })
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content?: string | readonly Block[] | undefined;
    };

export interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Block[];
}

export interface WireTool extends Cached {
  readonly type?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly input_schema?: Record<string, unknown> | undefined;
  readonly strict?: boolean | undefined;
  readonly user_location?: Record<string, unknown> | undefined;
}

export interface WireToolChoice {
  readonly type: "auto" | "any" | "none" | "tool";
  readonly name?: string | undefined;
  readonly disable_parallel_tool_use?: boolean | undefined;
}

export type Thinking =
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "adaptive"; readonly display: "summarized" | "omitted" }
  | { readonly type: "disabled" | "between_tools" };

/** Body of `POST /v1/messages`; what is `undefined` is not sent. */
export interface WireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: readonly TextBlock[] | undefined;
  readonly messages: readonly Turn[];
  readonly thinking: Thinking | undefined;
  readonly output_config: { readonly effort?: string | undefined; readonly format?: unknown } | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly stop_sequences: readonly string[] | undefined;
  readonly tools: readonly WireTool[] | undefined;
  readonly tool_choice: WireToolChoice | undefined;
  readonly metadata: { readonly user_id: string } | undefined;
  readonly service_tier: string | undefined;
  readonly stream: true | undefined;
}

export interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
  readonly server_tool_use?: { readonly web_search_requests?: number | null } | null;
  readonly service_tier?: string | null;
}

export interface WireCitation {
  readonly type?: string;
  readonly url?: string | null;
  readonly source?: string | null;
  readonly title?: string | null;
  readonly [detail: string]: unknown;
}

export interface WireSearchResult {
  readonly type?: string;
  readonly url?: string;
  readonly title?: string;
  readonly page_age?: string | null;
}

/** A block of an answer, whole or as its stream begins it. */
export interface WireBlock {
  readonly type?: string;
  readonly text?: string | null;
  readonly citations?: readonly WireCitation[] | null;
  readonly thinking?: string | null;
  readonly signature?: string | null;
  readonly data?: string | null;
  readonly id?: string | null;
  readonly name?: string | null;
  readonly input?: unknown;
  readonly content?: unknown;
}

export interface WireStop {
  readonly stop_reason?: string | null;
  readonly stop_details?: { readonly explanation?: string | null } | null;
}

export interface WireMessage extends WireStop {
  readonly id?: string;
  readonly model?: string;
  readonly content?: readonly WireBlock[];
  readonly usage?: WireUsage | null;
}

export interface WireDelta extends WireStop {
  readonly type?: string;
  readonly text?: string;
  readonly partial_json?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly citation?: WireCitation;
}

export interface WireEvent {
  readonly type?: string;
  readonly index?: number;
  readonly message?: WireMessage;
  readonly content_block?: WireBlock;
  readonly delta?: WireDelta;
  readonly usage?: WireUsage | null;
}
