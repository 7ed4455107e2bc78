import type { InputTypes } from "../embeddings/input-types.ts";
import type { InputLimits } from "../embeddings/inputs.ts";
import type { TruncationField } from "../embeddings/truncation.ts";
import type { VendorFormName } from "../fitting/vendor-forms.ts";
import type { PrefillDialect } from "./prefill.ts";
import type { RerankDialect } from "./rerank/dialect.ts";

/**
 * How the reasoning of earlier answers goes back to a vendor: `kept` with its details, as the text `reasoning` or
 * `reasoning_content`, as a `thinking` part of the content, or `dropped`.
 */
export type HistoryStyle = "kept" | "reasoning" | "reasoning_content" | "thinking" | "dropped";

/**
 * How a vendor is asked for reasoning: by `effort` as OpenAI is; by the `object` as we have it; by `thinking: { type }` beside the
 * effort; by `reasoning: { enabled }` where the effort is none; by `thinking: { type }` or `enable_thinking` alone, without an effort; or
 * not at all.
 */
export type ReasoningStyle =
  | "effort"
  | "object"
  | "thinking"
  | "switch"
  | "thinking_type"
  | "enable_thinking"
  | "unsupported";

/** How a vendor's chat interface differs from OpenAI's: the data of one row, read by to-wire. What is left out is as OpenAI has it. */
export interface CompatibilityProfile {
  /** Known request fields that the vendor refuses or ignores: left out, with a warning. */
  readonly unsupported?: readonly string[];
  /** The same for some of its models only. */
  readonly unsupportedBy?: { readonly models: RegExp; readonly fields: readonly string[] };
  /** Known message fields that the vendor refuses: left out, with a warning. */
  readonly unsupportedInMessages?: readonly string[];
  /** Request fields that the vendor calls otherwise: our name → its name. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Identifiers of tool calls are nine letters and digits; others are a 400. */
  readonly hasShortCallIds?: boolean;
  /** `user_location` of `web_search_options` holds city, country and region itself. */
  readonly hasFlatLocation?: boolean;
  /** Results of tools can be text only; what else they hold is said by the user. */
  readonly hasTextTools?: boolean;
  /** A user does not follow results of tools, and a last turn of the model says that it is to be continued (`prefix`). */
  readonly hasStrictOrder?: boolean;
  /** `developer` messages are sent as `system`. */
  readonly lacksDeveloperRole?: boolean;
  /**
   * How a stream is made to report its usage: `all` options of ours are sent, `usage` sends nothing but the request for usage,
   * `none` is for a vendor that refuses `stream_options` and reports usage anyway.
   */
  readonly streamOptions: "all" | "usage" | "none";
  /** How `reasoning` is sent. */
  readonly reasoning: ReasoningStyle;
  /** Efforts that the vendor knows by another name, or not at all: sent as the one given. */
  readonly efforts?: Readonly<Record<string, string>>;
  /** How the reasoning of earlier assistant messages goes back. */
  readonly history: HistoryStyle;
  /** Keeps `cache_control` marks of parts and tools. */
  readonly keepsCacheControl?: boolean;
  /** `logprobs` is the number of alternatives, not a boolean. */
  readonly countsLogprobs?: boolean;
  /** What it takes of tools and schemas; `usual` unless given. */
  readonly form?: VendorFormName;
  /** Takes custom tools as OpenAI's chat has them; elsewhere functions take their place. */
  readonly takesCustomTools?: boolean;
  /** How it continues an unfinished message; absent where that is not documented. */
  readonly prefill?: PrefillDialect;
  /** How its embeddings differ. */
  readonly embeddings?: EmbeddingDialect;
  /** How it ranks documents; absent where it does not. */
  readonly rerank?: RerankDialect;
}

/** How a vendor's embeddings differ from OpenAI's. */
export interface EmbeddingDialect {
  /** Behind the base URL; `/embeddings` unless given. */
  readonly path?: string;
  readonly unsupported?: readonly string[];
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields that the vendor demands: sent with these values unless the caller gives others, and said in a warning. */
  readonly demanded?: Readonly<Record<string, string>>;
  /** Its words for what texts are for; `input_type` goes as it is where it has none. */
  readonly inputTypes?: InputTypes;
  /** Refuses `encoding_format`: it is not sent, and base64 is made here. */
  readonly lacksBase64?: boolean;
  /** Takes texts only, no tokens. */
  readonly lacksTokens?: boolean;
  /** How it says what is done about texts that are too long: a field and its values; absent where it has no choice. */
  readonly truncation?: TruncationField;
  /** Most inputs of one request; larger requests are split. */
  readonly limits?: InputLimits;
}

/** A vendor, and where to name what it cannot honour. */
export interface Warned {
  readonly provider: string;
  warn(warning: string): void;
}

/** Who is written to. */
export interface RequestTarget extends Warned {
  readonly dialect: CompatibilityProfile;
}

/** Names what a vendor cannot honour, as every provider does. */
export function warnUnsupported({ provider, warn }: Warned, field: string): void {
  warn(`\`${field}\` is not supported by ${provider}`);
}
