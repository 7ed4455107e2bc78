/** The shapes of Cohere's API, version 2 (docs.cohere.com, API reference). What a vendor sends may lack any of its fields. */

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ThinkingPart {
  readonly type: "thinking";
  readonly thinking: string;
}

export interface ImagePart {
  readonly type: "image_url";
  readonly image_url: { readonly url: string; readonly detail?: string };
}

export interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as it is sent. */
export type WireTurn =
  | { readonly role: "system"; readonly content: string | readonly TextPart[] }
  | { readonly role: "user"; readonly content: string | readonly (TextPart | ImagePart)[] }
  | {
      readonly role: "assistant";
      readonly content?: string | readonly (TextPart | ThinkingPart)[];
      readonly tool_plan?: string;
      readonly tool_calls?: readonly WireCall[];
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string | readonly TextPart[] };

/** A tool as it is offered. */
export interface WireTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: unknown };
}

/** What a place of the text rests on. */
export interface WireCitation {
  readonly start?: number;
  readonly end?: number;
  readonly text?: string;
  /** The block of the content that the place is in. */
  readonly content_index?: number;
  /** `TEXT_CONTENT`, `THINKING_CONTENT`, `PLAN`. */
  readonly type?: string;
  readonly sources?: readonly WireSource[];
}

export interface WireSource {
  readonly type?: string;
  readonly id?: string;
  readonly document?: Readonly<Record<string, unknown>>;
  readonly tool_output?: Readonly<Record<string, unknown>>;
}

export interface WireUnits {
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

export interface WireUsage {
  readonly billed_units?: WireUnits;
  readonly tokens?: WireUnits;
  readonly cached_tokens?: number;
}

export interface WireLogprob {
  readonly text?: string;
  readonly logprobs?: readonly number[];
}

/** A message as it comes. */
export interface WireMessage {
  readonly content?: readonly { readonly type?: string; readonly text?: string; readonly thinking?: string }[];
  readonly tool_plan?: string;
  readonly tool_calls?: readonly Partial<WireCall>[];
  readonly citations?: readonly WireCitation[];
}

/** A whole answer of `POST /v2/chat`. */
export interface WireAnswer {
  readonly id?: string;
  readonly finish_reason?: string;
  readonly message?: WireMessage;
  readonly usage?: WireUsage;
  readonly logprobs?: readonly WireLogprob[];
}

/** One event of a streamed answer. What whole messages list, events tell one at a time. */
export interface WireEvent {
  readonly type?: string;
  readonly id?: string;
  readonly index?: number;
  readonly logprobs?: WireLogprob;
  readonly delta?: {
    readonly finish_reason?: string;
    readonly error?: string;
    readonly usage?: WireUsage;
    readonly message?: {
      readonly content?: { readonly type?: string; readonly text?: string; readonly thinking?: string };
      readonly tool_plan?: string;
      readonly tool_calls?: {
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      };
      readonly citations?: WireCitation;
    };
  };
}
