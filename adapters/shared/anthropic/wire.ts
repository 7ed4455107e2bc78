/** The parts of the Messages API that we read and write. In an answer every field may be absent or null. */

import type { MediaBlock } from "../../../src/engine/dialects/anthropic/content.ts";
import type { AnthropicDeltaName, AnthropicEventName } from "../../../src/engine/dialects/anthropic/events.ts";
import type { AnthropicOwnBlock } from "../../../src/engine/dialects/anthropic/own-blocks.ts";
import type { ThoughtBlock } from "../../../src/engine/dialects/anthropic/reasoning.ts";
import type { AnthropicToolChoice } from "../../../src/engine/dialects/anthropic/tool-choice.ts";
import type { AnthropicWireUsage } from "../../../src/engine/dialects/anthropic/usage.ts";

export interface AnthropicCacheControl {
  readonly type: "ephemeral";
  readonly ttl?: "5m" | "1h" | undefined;
}

interface Cacheable {
  readonly cache_control?: AnthropicCacheControl | undefined;
}

export interface TextBlock extends Cacheable {
  readonly type: "text";
  readonly text: string;
}

/** A block of a request's message. */
export type Block =
  | TextBlock
  | (Cacheable & MediaBlock & { readonly title?: string | undefined })
  | ThoughtBlock
  | AnthropicOwnBlock
  | (Cacheable & { readonly type: "tool_reference"; readonly tool_name: string })
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly is_error?: true | undefined;
      readonly content?: string | readonly Block[] | undefined;
    };

export interface AnthropicMessageTurn {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly Block[];
}

export interface AnthropicWireTool extends Cacheable {
  readonly type?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly input_schema?: Record<string, unknown> | undefined;
  readonly strict?: boolean | undefined;
  readonly defer_loading?: boolean | undefined;
  readonly user_location?: Record<string, unknown> | undefined;
}

export type Thinking =
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "adaptive"; readonly display: "summarized" | "omitted" }
  | { readonly type: "disabled" | "between_tools" };

/** Body of `POST /v1/messages`; what is `undefined` is not sent. */
export interface AnthropicWireRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: readonly TextBlock[] | undefined;
  readonly messages: readonly AnthropicMessageTurn[];
  readonly thinking: Thinking | undefined;
  readonly output_config: { readonly effort?: string | undefined; readonly format?: unknown } | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly stop_sequences: readonly string[] | undefined;
  readonly tools: readonly AnthropicWireTool[] | undefined;
  readonly tool_choice: AnthropicToolChoice | undefined;
  readonly metadata: { readonly user_id: string } | undefined;
  readonly service_tier: string | undefined;
  readonly stream: true | undefined;
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
  readonly stop_sequence?: string | null;
  readonly stop_details?: { readonly explanation?: string | null } | null;
}

export interface WireMessage extends WireStop {
  readonly id?: string;
  readonly model?: string;
  readonly content?: readonly WireBlock[];
  readonly usage?: AnthropicWireUsage | null;
}

export interface WireDelta extends WireStop {
  readonly type?: AnthropicDeltaName;
  readonly text?: string;
  readonly partial_json?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly citation?: WireCitation;
}

export interface WireEvent {
  readonly type?: AnthropicEventName;
  readonly index?: number;
  readonly message?: WireMessage;
  readonly content_block?: WireBlock;
  readonly delta?: WireDelta;
  readonly usage?: AnthropicWireUsage | null;
}
