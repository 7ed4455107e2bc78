import type { ChatRequest, ChatResponse } from "../../../engine/api/chat.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import type { Model } from "../../../engine/api/models.ts";
import type { RerankRequest, RerankResponse } from "../../../engine/api/rerank.ts";
import type { Provider } from "../../../engine/ports/provider.ts";

/** Where a provider under test finds its vendor, and what it shows there. */
export interface ProviderUnderTest {
  /** `http://host:port`, without a path. */
  readonly baseUrl: string;
  /** A key made up for the test; it must not appear in any error or raw body. */
  readonly apiKey: string;
  /** When given, the provider must send through it: cuts of bytes that no socket would make are played so. */
  readonly fetch?: typeof fetch;
}

/** Makes the provider under test. */
export type ProviderMaker = (location: ProviderUnderTest) => Provider;

/** A request as the vendor documents it. */
export interface WireExpectation {
  /** Path and query. */
  readonly path: string;
  /** The whole body; absent for GET. */
  readonly body?: unknown;
  /** Headers that must be there, names in lower case. `{key}` stands for the key. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface RecordedExchange {
  /** Unique in its list; titles begin with it. */
  readonly name: string;
  /** The provider's own name of the model. */
  readonly model: string;
  /** Every warning that the provider must give, no other. */
  readonly warnings?: readonly string[];
}

/** A chat, asked whole and, where the vendor streams it, as a stream. */
export interface ChatFixture extends RecordedExchange {
  readonly kind: "chat";
  /** What is asked. */
  readonly request: ChatRequest;
  /** The request that must reach the vendor. */
  readonly wire: WireExpectation;
  /** The vendor's answer. */
  readonly answer: unknown;
  /** The same in our form; `id`, `created` and all. */
  readonly expected: ChatResponse;
  /** The same as a stream; absent where the vendor streams nothing. */
  readonly stream?: {
    /** What differs from `wire`: fields of the body to add or, where undefined, to leave out; another path. */
    readonly wire: { readonly path?: string; readonly body: Readonly<Record<string, unknown>> };
    /** The vendor's stream, byte for byte; folds to the message and usage of `expected`. */
    readonly bytes: string | Uint8Array;
    /** Where streams are warned of otherwise. */
    readonly warnings?: readonly string[];
  };
}

export interface EmbeddingFixture extends RecordedExchange {
  readonly kind: "embedding";
  /** What is asked. */
  readonly request: EmbeddingRequest;
  /** The request that must reach the vendor. */
  readonly wire: WireExpectation;
  /** The vendor's answer. */
  readonly answer: unknown;
  /** The same in our form. */
  readonly expected: EmbeddingResponse;
}

export interface RerankFixture extends RecordedExchange {
  readonly kind: "rerank";
  /** What is asked. */
  readonly request: RerankRequest;
  /** The request that must reach the vendor. */
  readonly wire: WireExpectation;
  /** The vendor's answer. */
  readonly answer: unknown;
  /** The same in our form. */
  readonly expected: RerankResponse;
}

/** An exchange that asks a model something. */
export type QuestionFixture = ChatFixture | EmbeddingFixture | RerankFixture;

/** A list of models; pages are asked one after the other. No pages: the provider knows its models and asks nobody. */
export interface ModelsFixture {
  readonly kind: "models";
  /** Unique in its list; titles begin with it. */
  readonly name: string;
  /** The vendor's pages, in order. */
  readonly pages: readonly { readonly path: string; readonly answer: unknown }[];
  /** All of them in our form. */
  readonly expected: readonly Model[];
}

/** A refusal by the vendor. */
export interface FaultFixture {
  readonly kind: "fault";
  /** Unique in its list; titles begin with it. */
  readonly name: string;
  /** The HTTP status of the refusal, 400 to 599. */
  readonly status: number;
  /** Headers of the refusal. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text for a page that is none. */
  readonly answer: unknown;
  /** The vendor's words, verbatim; fields that are left out must be absent. */
  readonly expected: {
    readonly message: string;
    readonly type?: string;
    readonly code?: string;
    readonly param?: string;
  };
  /** Milliseconds that its `retry-after` states. */
  readonly retryAfterMs?: number;
}

/** One exchange of a provider with its vendor, written down from the vendor's documentation. */
export type ProviderFixture = QuestionFixture | ModelsFixture | FaultFixture;
