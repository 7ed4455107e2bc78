import type { ChatRequest, OlderNames } from "../chat.ts";
import type { DecisionRequest } from "../decisions.ts";
import type { EmbeddingRequest } from "../embeddings.ts";
import type { ChatMessage, CustomToolCall, ToolCall } from "../message.ts";
import type { SentRerankRequest } from "../rerank.ts";
import type { FunctionDefinition, Tool } from "../tools.ts";
import type { ChatModel, EmbeddingModel, RerankModel } from "./known-models.ts";

/** The members of a type that have names of their own, without those of its index signature. */
type NamedMembers<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] };

/** A type as callers write it: a name that is misspelled does not compile. Records of free names stay what they are; lists may be read-only. */
type Closed<Value> = Value extends readonly (infer Item)[]
  ? readonly Closed<Item>[]
  : Value extends object
    ? keyof NamedMembers<Value> extends never
      ? Value
      : { [Name in keyof Value as string extends Name ? never : Name]: Closed<Value[Name]> }
    : Value;

/** The same without some members, which the closed form words by itself. */
type ClosedBut<Value, Names extends keyof NamedMembers<Value>> = Closed<Omit<NamedMembers<Value>, Names>>;

/** What every request may have besides the documented fields. */
interface Extra {
  /** Fields that are new at a vendor, sent with the request's own, e.g. `{ top_k: 40 }`. One that the request also has is refused. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** A name of the catalogue, which editors complete, or any other. */
type NameOf<Known extends string> = Known | (string & {});

/** A tool call of an earlier answer, sent back. */
export interface SentToolCall extends Closed<ToolCall> {
  readonly custom?: CustomToolCall["custom"] | undefined;
}

/** One message of a conversation. */
export interface SentMessage extends ClosedBut<ChatMessage, "tool_calls"> {
  readonly tool_calls?: readonly SentToolCall[] | undefined;
}

/** A function that the model may call; `parameters` is a JSON Schema. */
export interface SentFunction extends ClosedBut<FunctionDefinition, "parameters"> {
  readonly parameters?: FunctionDefinition["parameters"];
}

/** A tool that the model may call. */
export interface SentTool extends ClosedBut<Tool, "function"> {
  readonly function?: SentFunction | undefined;
}

/** The form of the answer: `text`, `json_object`, or `json_schema` with the schema that the answer satisfies. */
export interface ResponseFormat {
  readonly type?: "text" | "json_object" | "json_schema" | undefined;
  readonly json_schema?:
    | {
        readonly name: string;
        readonly description?: string | undefined;
        readonly schema?: Readonly<Record<string, unknown>> | undefined;
        readonly strict?: boolean | null | undefined;
      }
    | undefined;
}

/** A chat request as callers write it. */
export interface SentChatRequest
  extends Extra,
    ClosedBut<ChatRequest, "model" | "messages" | "tools" | "response_format" | "anthropic">,
    Closed<NamedMembers<OlderNames>> {
  /** `provider/model`, e.g. `openai/gpt-5`. */
  readonly model: NameOf<ChatModel>;
  readonly messages: readonly SentMessage[];
  /** Further models, asked in order when the first cannot answer; at most 64. */
  readonly fallbacks?: readonly NameOf<ChatModel>[] | undefined;
  readonly tools?: readonly SentTool[] | undefined;
  readonly response_format?: ResponseFormat | undefined;
  /** What only Anthropic's models are asked. */
  readonly anthropic?: ChatRequest["anthropic"];
}

/** An embedding request as callers write it. */
export interface SentEmbeddingRequest extends Extra, ClosedBut<EmbeddingRequest, "model" | "fallbacks"> {
  /** `provider/model`. */
  readonly model: NameOf<EmbeddingModel>;
  /** Further models, asked in order when the first cannot answer; at most 64. */
  readonly fallbacks?: readonly NameOf<EmbeddingModel>[] | undefined;
}

/** A rerank request as callers write it; documents may be plain strings. */
export interface ClosedRerankRequest extends Extra, ClosedBut<SentRerankRequest, "model" | "fallbacks"> {
  /** `provider/model`. */
  readonly model: NameOf<RerankModel>;
  /** Further models, asked in order when the first cannot answer; at most 64. */
  readonly fallbacks?: readonly NameOf<RerankModel>[] | undefined;
}

/** A decision request as callers write it, in either form. */
export type SentDecisionRequest = Closed<DecisionRequest> & Extra;
