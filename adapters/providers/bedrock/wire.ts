/** The parts of Converse that are read and written here. Answers are foreign: every field may be absent or null. */

export interface CachePoint {
  readonly cachePoint: { readonly type: "default"; readonly ttl?: "5m" | "1h" | undefined };
}

interface Bytes {
  readonly bytes: string;
}

export interface ImageBlock {
  readonly image: { readonly format: string; readonly source: Bytes };
}

export interface DocumentBlock {
  readonly document: { readonly format: string; readonly name: string; readonly source: Bytes };
}

export type ReasoningContent =
  | { readonly reasoningText: { readonly text: string; readonly signature: string } }
  | { readonly redactedContent: string };

/** What a tool answered. */
export type ToolResultBlock = { readonly text: string } | ImageBlock | DocumentBlock;

/** A block of a request's message. */
export type ConverseBlock =
  | ToolResultBlock
  | CachePoint
  | { readonly reasoningContent: ReasoningContent }
  | { readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: unknown } }
  | {
      readonly toolResult: {
        readonly toolUseId: string;
        readonly content: readonly ToolResultBlock[];
        readonly status?: "error";
      };
    };

export interface ConverseMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly ConverseBlock[];
}

export type ConverseTool =
  | CachePoint
  | {
      readonly toolSpec: {
        readonly name: string;
        readonly description?: string | undefined;
        readonly inputSchema: { readonly json: unknown };
        readonly strict?: true | undefined;
      };
    };

export interface ToolConfig {
  readonly tools: readonly ConverseTool[];
  readonly toolChoice?: Readonly<Record<string, unknown>> | undefined;
}

/** Body of `POST /model/{id}/converse`; what is `undefined` is not sent. */
export interface ConverseRequest {
  readonly messages: readonly ConverseMessage[];
  readonly system: readonly (ToolResultBlock | CachePoint)[] | undefined;
  readonly inferenceConfig: Readonly<Record<string, unknown>> | undefined;
  readonly toolConfig: ToolConfig | undefined;
  readonly outputConfig: unknown;
  readonly additionalModelRequestFields: Readonly<Record<string, unknown>> | undefined;
  readonly additionalModelResponseFieldPaths: readonly string[] | undefined;
  readonly serviceTier: { readonly type: string } | undefined;
  readonly performanceConfig: { readonly latency: string } | undefined;
  readonly requestMetadata: Readonly<Record<string, string>> | undefined;
}

export interface ConverseUsage {
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly cacheReadInputTokens?: number | null;
  readonly cacheWriteInputTokens?: number | null;
  readonly cacheDetails?: readonly { readonly ttl?: string; readonly inputTokens?: number }[] | null;
}

export interface ConverseCitation {
  readonly title?: string | null;
  readonly source?: string | null;
  readonly location?: { readonly web?: { readonly url?: string | null } | null } | null;
  readonly sourceContent?: unknown;
}

/** A block of an answer. */
export interface ConverseContentBlock {
  readonly text?: string;
  readonly toolUse?: { readonly toolUseId?: string; readonly name?: string; readonly input?: unknown };
  readonly reasoningContent?: {
    readonly reasoningText?: { readonly text?: string; readonly signature?: string };
    readonly redactedContent?: string;
  };
  readonly citationsContent?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly citations?: readonly ConverseCitation[];
  };
}

export interface ConverseAnswer {
  readonly output?: { readonly message?: { readonly content?: readonly ConverseContentBlock[] } };
  readonly stopReason?: string;
  readonly additionalModelResponseFields?: unknown;
  readonly usage?: ConverseUsage | null;
  readonly serviceTier?: { readonly type?: string } | null;
}

/** One block of a stream. */
export interface BlockEvent {
  readonly contentBlockIndex?: number;
  readonly start?: { readonly toolUse?: { readonly toolUseId?: string; readonly name?: string } };
  readonly delta?: {
    readonly text?: string;
    readonly toolUse?: { readonly input?: string };
    readonly reasoningContent?: {
      readonly text?: string;
      readonly signature?: string;
      readonly redactedContent?: string;
    };
    readonly citation?: ConverseCitation;
  };
}
