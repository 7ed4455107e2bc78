/** The shapes of Cohere's API, version 2 (docs.cohere.com, API reference). What a vendor sends may lack any of its fields. */

import type { CohereWireCitation } from "../../../src/engine/dialects/cohere/citations.ts";
import type { CohereEventName } from "../../../src/engine/dialects/cohere/events.ts";
import type { WireLogprob } from "../../../src/engine/dialects/cohere/log-probs.ts";
import type { CohereWireUsage } from "../../../src/engine/dialects/cohere/usage.ts";

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
export interface CohereWireTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: unknown };
}

/** A message as it comes. */
export interface CohereWireMessage {
  readonly content?: readonly { readonly type?: string; readonly text?: string; readonly thinking?: string }[];
  readonly tool_plan?: string;
  readonly tool_calls?: readonly Partial<WireCall>[];
  readonly citations?: readonly CohereWireCitation[];
}

/** A whole answer of `POST /v2/chat`. */
export interface CohereWireAnswer {
  readonly id?: string;
  readonly finish_reason?: string;
  readonly message?: CohereWireMessage;
  readonly usage?: CohereWireUsage;
  readonly logprobs?: readonly WireLogprob[];
}

/** One event of a streamed answer. What whole messages list, events carry one at a time. */
export interface CohereWireEvent {
  readonly type?: CohereEventName;
  readonly id?: string;
  readonly index?: number;
  readonly logprobs?: WireLogprob;
  readonly delta?: {
    readonly finish_reason?: string;
    readonly error?: string;
    readonly usage?: CohereWireUsage;
    readonly message?: {
      readonly content?: { readonly type?: string; readonly text?: string; readonly thinking?: string };
      readonly tool_plan?: string;
      readonly tool_calls?: {
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      };
      readonly citations?: CohereWireCitation;
    };
  };
}
