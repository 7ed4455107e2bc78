import type { ChatRequest, ChatResponse } from "../../api/chat.ts";
import type { DecisionRequest, DecisionResponse } from "../../api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../api/embeddings.ts";
import type { ToolCallResponse } from "../../api/mcp/call.ts";
import type { RerankRequest, RerankResponse } from "../../api/rerank.ts";
import type { Duration } from "../../runtime/duration.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";

/** A call of a tool of an MCP server: `model` is the tool as callers name it, `server__tool`. */
export interface ToolCallQuestion {
  readonly model: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The request and the answer of each verb. `chat` is a whole answer and a streamed one alike; `tool` a call at a tool server. */
export interface MiddlewareVerbs {
  readonly chat: { readonly request: ChatRequest; readonly answer: ChatResponse };
  readonly embed: { readonly request: EmbeddingRequest; readonly answer: EmbeddingResponse };
  readonly rerank: { readonly request: RerankRequest; readonly answer: RerankResponse };
  readonly decide: { readonly request: DecisionRequest; readonly answer: DecisionResponse };
  readonly tool: { readonly request: ToolCallQuestion; readonly answer: ToolCallResponse };
}

/** A verb that middleware takes part in. */
export type MiddlewareVerb = keyof MiddlewareVerbs;

/** A request of one of these verbs. */
export type MiddlewareRequest<Verb extends MiddlewareVerb = MiddlewareVerb> = MiddlewareVerbs[Verb]["request"];

/** An answer of one of these verbs. */
export type MiddlewareAnswer<Verb extends MiddlewareVerb = MiddlewareVerb> = MiddlewareVerbs[Verb]["answer"];

/** What a text is part of. */
export type TextKind = "content" | "reasoning" | "refusal" | "tool_call" | "other";

/** Where a text of an answer stands. */
export interface TextPlace {
  /** What the text is part of. */
  readonly kind: TextKind;
  /** The `index` of its choice; 0 for answers without choices. */
  readonly choice: number;
}

/** What a middleware knows of a request, and what it may ask. One object for a request and a middleware; it holds no credential. */
export interface MiddlewareContext {
  /** What is asked: `chat`, `embed`, `rerank`, `decide` or `tool`. */
  readonly verb: MiddlewareVerb;
  /** The answer is streamed. */
  readonly isStream: boolean;
  /** The request's id, as in the events and in `x-tg-event-id`. */
  readonly eventId: string;
  /** The model as the caller named it. */
  readonly model: string;
  /** The id of the virtual key; absent for the trusted caller. */
  readonly keyId: string | undefined;
  /** The id of the key's project; absent where it has none. */
  readonly projectId: string | undefined;
  /** The id of the key's or its project's customer; absent where it has none. */
  readonly customerId: string | undefined;
  /** The request's `metadata`; empty where it has none. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Aborted when the hook under way is out of time, or its caller is gone. */
  readonly signal: AbortSignal;
  /** What the middleware remembers from its request to its answer. */
  readonly state: Record<string, unknown>;
  /** Refuses: the caller gets `content_blocked` (400) with this `reason`, a word for programs, and the message. */
  block(reason: string, message?: string): never;
  /**
   * Asks a model (`provider/model`) by chat. It is billed to the request, within its budgets, as a line of its own. Throws the
   * `GatewayError` of its failure, and `invalid_request` once the hook is over.
   */
  chat(request: ChatRequest): Promise<ChatResponse>;
  /** Asks a model for typed decisions, billed as `chat` is. */
  decide(request: DecisionRequest): Promise<DecisionResponse>;
  /** Adds facts to the `middleware` event of this hook, such as a probability. They must hold no text of the request. */
  note(facts: Readonly<Record<string, string | number | boolean>>): void;
}

/** How a middleware reads the texts of an answer: reasoning, refusals and the texts in arguments of tool calls among them. */
export interface TextGuard {
  /**
   * How much is held back of a stream until the guard has passed it: each piece as it comes, up to the end of a sentence, or all of it. A
   * guard gets text as it is cut here: one that looks for more than a piece may hold has to wait for it.
   */
  readonly hold: "chunk" | "sentence" | "whole";
  /** Returns the text to send, or nothing to send it as it is. Only what it returns leaves. */
  text(text: string, context: MiddlewareContext, place: TextPlace): MaybePromise<string | undefined>;
}

/**
 * What stands between callers and models: called once a request, whatever tries it takes, before the route is planned, and once for its
 * answer, fresh or cached. Requests pass the list in order, answers in reverse.
 */
export interface Middleware<Verb extends MiddlewareVerb = MiddlewareVerb> {
  /** As errors and events name it; unique in a list. */
  readonly name: string;
  /** The verbs that it takes part in; all of them unless given. */
  readonly verbs?: readonly Verb[] | undefined;
  /** False for a request that it leaves alone, by its key, project or metadata. Asks no model. */
  applies?(context: MiddlewareContext): boolean;
  /** Returns the request to go on with, or nothing to leave it as it is. */
  request?(
    request: MiddlewareRequest<Verb>,
    context: MiddlewareContext,
  ): MaybePromise<MiddlewareRequest<Verb> | undefined>;
  /** Returns the answer to give, or nothing to leave it as it is. A stream is held back whole for it, unless `stream` is there too. */
  answer?(answer: MiddlewareAnswer<Verb>, context: MiddlewareContext): MaybePromise<MiddlewareAnswer<Verb> | undefined>;
  /** Reads the texts of streams, and of whole answers where there is no `answer`. */
  readonly stream?: TextGuard | undefined;
  /** How long a hook may take: milliseconds, or a text such as `"500ms"`, `"10s"`, `"2m"`. Ten seconds unless given. */
  readonly timeout?: Duration | undefined;
  /** What becomes of a hook that throws or is late: `closed` refuses the request (default), `open` goes on without it. */
  readonly onError?: "closed" | "open" | undefined;
}

/** Types a middleware of some verbs: `defineMiddleware({ name: "x", verbs: ["chat"], request(request) { … } })`. */
export function defineMiddleware<Verb extends MiddlewareVerb = MiddlewareVerb>(
  middleware: Middleware<Verb>,
): Middleware<Verb> {
  return middleware;
}
