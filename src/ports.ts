import type { ChatChunk, ChatRequest, ChatResponse } from "./api/chat.ts";
import type { DecisionRequest, DecisionResponse } from "./api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "./api/embeddings.ts";
import type { Model } from "./api/models.ts";
import type { RerankRequest, RerankResponse } from "./api/rerank.ts";

/** Time as an argument: milliseconds since the epoch, and timers that can be taken back. */
export interface Clock {
  now(): number;
  /** Calls `then` once after `ms`; the returned function takes it back and may be called at any time, more than once. */
  after(ms: number, then: () => void): () => void;
}

/** Chance as an argument: uniform in [0, 1). */
export type Random = () => number;

/** Fresh identifiers that sort by time of making. */
export type Ids = () => string;

/** Deadlines of one target, in milliseconds (inference-resolved.md, 6.6). */
export interface Timeouts {
  /** Until the connection stands. */
  readonly connect: number;
  /** Until the first content: response headers of a whole answer, first content chunk of a stream. */
  readonly firstContent: number;
  /** Between two pieces of the body. */
  readonly gap: number;
  /** The whole request, all its attempts included. */
  readonly whole: number;
}

/** Where a provider leaves the bodies it exchanged, when the caller asked for them; never holds a credential. */
export interface RawExchange {
  request?: unknown;
  response?: unknown;
}

/** What a provider is told beside the request. */
export interface ProviderCall {
  /** Unique to this attempt and sortable; providers derive identifiers from it where the vendor gives none. */
  readonly id: string;
  /** The provider's own name of the model: the part behind `provider/`. Use this, not `request.model`. */
  readonly model: string;
  /** Milliseconds since the epoch when the attempt began; the answer's `created` where the vendor gives none. */
  readonly startedAt: number;
  /** Aborted when the caller hangs up or a deadline passes; the provider then ends its work at once and throws. */
  readonly signal: AbortSignal;
  readonly timeouts: Timeouts;
  /** Present when the caller asked for the raw exchange. */
  readonly raw: RawExchange | undefined;
  /** Names what the target cannot honour, e.g. ``"`seed` is not supported by anthropic"``. Nothing is dropped in silence. */
  warn(warning: string): void;
}

/**
 * A provider of models. Every verb is optional: a method that is missing *is* the statement "unsupported".
 *
 * Answers carry the wire's own shapes ({@link ChatResponse}, …) with usage normalised as inference-resolved.md, section 9:
 * cached reads and writes are inside `prompt_tokens`. Providers leave `extra_fields` and `usage.cost` to the engine.
 * Failures are thrown as `GatewayError`: `upstream_error` with the vendor's words in `upstream`, `upstream_unreachable`,
 * `upstream_timeout`, `upstream_invalid_response`, `upstream_stream_broken`. Anything else counts as a defect.
 */
export interface Provider {
  /** Lower-case name, the part before `/` in a model name; unique within an engine. */
  readonly name: string;
  chat?(request: ChatRequest, call: ProviderCall): Promise<ChatResponse>;
  /**
   * Chunks in order, the last content chunk of each choice with its `finish_reason`, usage on a chunk of its own with empty
   * `choices` (or on the last). Ends by returning only when the answer is complete; a stream cut short throws
   * `upstream_stream_broken`. Returning early (`break`) ends the upstream call.
   */
  streamChat?(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk>;
  embed?(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse>;
  rerank?(request: RerankRequest, call: ProviderCall): Promise<RerankResponse>;
  decide?(request: DecisionRequest, call: ProviderCall): Promise<DecisionResponse>;
  /** The provider's models with ids as the provider writes them (no `provider/` prefix). */
  listModels?(call: ProviderCall): Promise<readonly Model[]>;
  /** Lets go of sockets; called once, when the engine closes. */
  close?(): Promise<void>;
}

/** Returns the provider as it is; gives editors its types. */
export function defineProvider<P extends Provider>(provider: P): P {
  return provider;
}

/** The request verbs of a provider, by method name. */
export type ProviderVerb = "chat" | "streamChat" | "embed" | "rerank" | "decide" | "listModels";
