import type { ChatChunk, ChatRequest, ChatResponse } from "../api/chat.ts";
import type { DecisionRequest, DecisionResponse } from "../api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../api/embeddings.ts";
import type { Model } from "../api/models.ts";
import type { RerankRequest, RerankResponse } from "../api/rerank.ts";
import type { Usage } from "../api/usage.ts";
import type { GatewayError } from "../errors.ts";
import type { Abortable } from "../runtime/abortable.ts";
import type { WithDurations } from "../runtime/duration.ts";
import type { JsonSource } from "../runtime/json/json-source.ts";
import type { Transport } from "./transport.ts";

/** Deadlines of one target, in milliseconds (inference-resolved.md, 6.6). Whole answers are bound by `connect` and `whole` only. */
export interface Timeouts {
  /** Until the connection stands. */
  readonly connect: number;
  /** Of a stream: until its first content, counted from the vendor's last sign of life. */
  readonly firstContent: number;
  /** Of a stream: until its first content in all, whatever signs of life come; no bound unless given. */
  readonly firstContentMax?: number | undefined;
  /** Of a stream: between two events of the vendor behind its first content; pings and empty events count. */
  readonly gap: number;
  /** The whole request, all its attempts included. */
  readonly whole: number;
}

/** Where a provider leaves the bodies it exchanged, when the caller asked for them; never holds a credential. */
export interface RawExchange {
  request?: unknown;
  response?: unknown;
}

/**
 * One of a provider's credentials: which models it is good for (inference-resolved.md, 6.2). Its value stays inside the provider.
 */
export interface CredentialSettings {
  /** Unique among the provider's credentials; shown in plans, events and the ledger. */
  readonly id: string;
  /** Share of the requests; 1 unless given, 0 is a last resort. */
  readonly weight?: number | undefined;
  /** Names as the caller writes them, or patterns with `*`; `["*"]` is all, `[]` none. All unless given. */
  readonly models?: readonly string[] | undefined;
  /** Names or patterns that are refused although `models` has them. */
  readonly blockedModels?: readonly string[] | undefined;
  /** The caller's name of a model → what the vendor calls it for this credential, e.g. a deployment of Azure. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/**
 * A request of OpenAI's Responses API beside its translation to chat. A provider of that interface may send `body` in place of the
 * translation, with its own name of the model, and attach the vendor's response to its answer (`withResponse`).
 */
export interface ResponsesRequest {
  /** The body as the caller sent it, without thoughts of other vendors, whose seals no vendor of the interface knows. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Names what of the body was left out, for the provider to warn of. */
  readonly warnings: readonly string[];
  /** True when it asks for something that the translation lacks. */
  readonly isRicher: boolean;
  /** The error for targets that have only chat, where the translation lacks something that the answer depends on. */
  readonly refusal?: GatewayError | undefined;
  /** True when the answer is made in the background: the caller gets what the vendor has queued, and reads the response later by its id. */
  readonly isBackground?: boolean | undefined;
}

/** A request in the background: who asked has its answer, the call goes on until the vendor is done. */
export interface BackgroundWork {
  /** To be called with the response that the vendor has queued; it goes to the caller. */
  accepted(response: Readonly<Record<string, unknown>>): void;
  /**
   * Resolves when it is time to look at the response again, with the response where a request of the caller's has shown it meanwhile.
   * Rejects when the attempt ends.
   */
  next(): Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** What is asked of a response that the vendor holds. */
export interface StoredResponseRequest {
  readonly action: StoredResponseAction;
  /** The vendor's id. */
  readonly id: string;
  /** The vendor's own query, undecoded; empty without one. */
  readonly query: string;
}

/** Reads a response, removes it, ends one that is made in the background, or lists the items that it was made from. */
export type StoredResponseAction = "retrieve" | "delete" | "cancel" | "input_items";

/** What a provider gets besides the request. */
export interface ProviderCall {
  /** Unique to this attempt and sortable; providers derive identifiers from it where the vendor gives none. */
  readonly id: string;
  /** The provider's own name of the model: the part behind `provider/`, or the credential's alias of it. Use this, not `request.model`. */
  readonly model: string;
  /** The `id` of the credential to use; absent when the provider has none. */
  readonly credential?: string | undefined;
  /** Milliseconds since the epoch when the attempt began; the answer's `created` where the vendor gives none. */
  readonly startedAt: number;
  /**
   * Aborted when the caller hangs up or a deadline passes; the provider then ends its work at once and throws. It belongs to this
   * attempt alone: listeners need not be removed.
   */
  readonly signal: AbortSignal;
  /** The same end as `signal`, for those who need no real `AbortSignal`: that one is only made when it is asked for. */
  readonly cancellation?: Abortable | undefined;
  readonly timeouts: Timeouts;
  /** True where another candidate is left: what this provider cannot be sent may be what that one takes. */
  readonly hasFallback?: boolean | undefined;
  /** The request as a client of OpenAI's Responses API wrote it, for providers of that interface. */
  readonly responses?: ResponsesRequest | undefined;
  /** What the caller's request was read from: members that a provider sends on unchanged need not be written anew. */
  readonly source?: JsonSource | undefined;
  /** Present where {@link ResponsesRequest.isBackground} is true. */
  readonly background?: BackgroundWork | undefined;
  /** Headers by which the caller asks a vendor for more, such as `openai-beta`; never a credential. */
  readonly capabilities?: Readonly<Record<string, string>> | undefined;
  /** Present when the caller asked for the raw exchange. */
  readonly raw: RawExchange | undefined;
  /** How the engine's calls leave the machine; a provider with a transport or a `fetch` of its own uses that. */
  readonly transport?: Transport | undefined;
  /** How long the pieces of this stream may be gathered while the event loop lags; never without it. */
  readonly pace?: StreamPace | undefined;
  /**
   * To be called when the first bytes of a whole answer that is no error are there: its prompt is billed from then on, whatever becomes of
   * it. Streams show it by their chunks.
   */
  begun?(): void;
  /**
   * To be called with everything that the vendor of a stream sends and that need not become a chunk: pings, comments, empty events. The
   * wait for the next chunk counts anew. Chunks are signs of life without it.
   */
  alive?(): void;
  /**
   * To be called with each request that the vendor has answered, by providers that ask for one answer in several. A call that fails all the
   * same is billed for those; of one that gives its answer, that one's own `usage` holds.
   */
  answered?(part: AnsweredPart): void;
  /**
   * To be called with what the vendor says that a stream has used so far, as often as it says so. A stream that ends before its
   * usage came is billed for that; we count its completion as long as none of its tokens were reported.
   */
  used?(usage: Usage): void;
  /**
   * To be called with the dollars that the head of an answer states as its cost, where the answer has no usage to hold them. That is the bill
   * then, of a provider whose `billing` says that it states costs; the tokens are counted by us.
   */
  charged?(dollars: number): void;
  /** To be called with the path of the vendor's interface, by providers that choose between several; events show it. */
  askedAt?(path: string): void;
  /** Names what the target cannot honour, e.g. ``"`seed` is not supported by anthropic"``. Nothing is dropped in silence. */
  warn(warning: string): void;
}

/** How a stream's pieces are handed over where the event loop has no time to spare. */
export interface StreamPace {
  /** Milliseconds that pieces may wait for the next ones; 0 until the first content was handed over. It changes while the stream runs. */
  readonly gatherMs: number;
}

/** What a vendor was asked and has answered, and what it says that this used: where it does not say, it is counted. */
export interface AnsweredPart {
  readonly request: EmbeddingRequest | RerankRequest;
  readonly usage: Usage | undefined;
}

/** What decides about a provider's bills beside the usage of its answers. */
export interface ProviderBilling {
  /** The region or location that it runs in, where prices depend on that: `eu-west-2`, `europe-west1`. */
  readonly region?: string | undefined;
  /**
   * True when the usage of its answers states their cost: `upstream_cost`, in dollars or as an object with `total_cost`, or
   * `cost_in_usd_ticks`. That is the bill then.
   */
  readonly reportsCost?: boolean | undefined;
  /** True when its answers may be longer than `max_completion_tokens`; a hard budget then reserves the model's longest answer. */
  readonly ignoresOutputLimit?: boolean | undefined;
}

/**
 * A provider of models. Every verb is optional: a method that is missing *is* the statement "unsupported", but for `chat` and `streamChat`,
 * of which one answers for both. Answers carry the wire's own shapes ({@link ChatResponse}, …) with usage normalised as
 * inference-resolved.md, section 9: cached reads and writes are inside `prompt_tokens`. Providers leave `extra_fields` and `usage.cost` to
 * the engine. Failures are thrown as `GatewayError`: `upstream_error` with the vendor's words in `upstream`, `upstream_unreachable`,
 * `upstream_timeout`, `upstream_invalid_response`, `upstream_stream_broken`. Anything else is reported as a defect and becomes
 * `upstream_error` with what was thrown as its cause: the same provider is not asked again, and the next candidate is. So it is for an
 * answer of another shape, which is `upstream_invalid_response`.
 */
export interface Provider {
  /** Lower-case name, the part before `/` in a model name; unique within an engine. */
  readonly name: string;
  /** What it can sign its requests with, one or several; a provider without any is asked as it is. */
  readonly credentials?: readonly CredentialSettings[] | undefined;
  /** Deadlines of its own, in milliseconds or as text, in place of the engine's; a call's go before them. `whole` is the request's and not looked at. */
  readonly timeouts?: Partial<WithDurations<Timeouts>> | undefined;
  /**
   * True when the usage of its answers counts the web searches that were made, so that a missing count means none. For other
   * providers, an answer to a request with searching counts as one search.
   */
  readonly reportsSearches?: boolean | undefined;
  /** What decides about the bills of its answers beside their usage. */
  readonly billing?: ProviderBilling | undefined;
  /** True where custom tools (one text in place of arguments) go to the vendor as they are; others get a function in their place. */
  readonly takesCustomTools?: boolean | undefined;
  /** True where the vendor has OpenAI's Responses API, so that {@link ProviderCall.responses} can be honoured whole. */
  readonly speaksResponses?: boolean | undefined;
  /** True where the vendor makes responses in the background; {@link Provider.chat} then waits for one by {@link ProviderCall.background}. */
  readonly worksInBackground?: boolean | undefined;
  chat?(request: ChatRequest, call: ProviderCall): Promise<ChatResponse>;
  /**
   * Chunks in order, the last content chunk of each choice with its `finish_reason`, usage on a chunk of its own with empty
   * `choices` (or on the last). Ends by returning only when the answer is complete; a stream cut short throws
   * `upstream_stream_broken`. Returning early (`break`) ends the upstream call.
   */
  streamChat?(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk>;
  /**
   * Streams on from the last message, which is the assistant's unfinished one (a prefill), as {@link Provider.streamChat} does. A
   * provider whose models take no prefill has no such method; one that refuses for a model throws.
   */
  continueChat?(request: ChatRequest, call: ProviderCall): AsyncIterable<ChatChunk>;
  /** How many tokens the prompt of a chat request has, by the vendor's own counting; nothing is generated and nothing charged. */
  countTokens?(request: ChatRequest, call: ProviderCall): Promise<number>;
  embed?(request: EmbeddingRequest, call: ProviderCall): Promise<EmbeddingResponse>;
  rerank?(request: RerankRequest, call: ProviderCall): Promise<RerankResponse>;
  /**
   * Asks for a response that the vendor holds, and gives the vendor's own answer. Throws `unsupported_operation` for an action that it does
   * not have; the `upstream_error` of status 404 means that there is no such response.
   */
  storedResponse?(request: StoredResponseRequest, call: ProviderCall): Promise<unknown>;
  decide?(request: DecisionRequest, call: ProviderCall): Promise<DecisionResponse>;
  /**
   * True for the models that {@link Provider.decide} is for, of a provider that has others, too; all of them unless given. The others are
   * asked by chat.
   */
  decides?(model: string): boolean;
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
export const providerVerbs = ["chat", "streamChat", "embed", "rerank", "decide", "listModels"] as const;

export type ProviderVerb = (typeof providerVerbs)[number];
