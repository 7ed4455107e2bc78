import type { z } from "zod";
import { type ChatChunk, ChatRequest, type ChatResponse } from "../api/chat.ts";
import type { RequestType } from "../api/common.ts";
import {
  DecisionListRequest,
  DecisionMapRequest,
  type DecisionRequest,
  type DecisionResponse,
} from "../api/decisions.ts";
import { EmbeddingRequest, type EmbeddingResponse } from "../api/embeddings.ts";
import { RerankRequest, type RerankResponse } from "../api/rerank.ts";
import type { Provider, ProviderVerb } from "../ports.ts";
import type { Attempt, Served } from "./attempt.ts";
import type { Call } from "./call.ts";
import { type Parser, parserOf } from "./parse.ts";
import { deliverWhole } from "./settle.ts";
import { deliverStream, type Opened, openStream } from "./stream.ts";

/** What every request with a route has. */
export interface Routed {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
}

/** What differs between the verbs; all else is one pipeline. */
export interface Verb<Request extends Routed, Answer, Result> {
  readonly requestType: RequestType;
  /** The provider's method; a provider without it does not offer the verb. */
  readonly method: ProviderVerb;
  readonly parse: Parser<Request>;
  readonly ask: (provider: Required<Provider>, request: Request, attempt: Attempt) => Promise<Answer>;
  readonly deliver: (call: Call, served: Served<Answer>, request: Request) => Promise<Result>;
}

const parseMap = parserOf(DecisionMapRequest);
const parseList = parserOf(DecisionListRequest);
const isListForm = (input: unknown) =>
  typeof input === "object" && input !== null && "questions" in input && Array.isArray(input.questions);

const parseChatBody = parserOf(ChatRequest);

/** The vendor's older names of two fields, still sent by many clients, are read as their present ones. */
function parseChat(input: unknown): ChatRequest {
  const request = parseChatBody(input);
  const { max_tokens, reasoning_effort } = request;
  if (max_tokens === undefined && reasoning_effort === undefined) return request;
  return parseChatBody(withPresentNames(request));
}

function withPresentNames({ max_tokens, reasoning_effort, ...request }: z.infer<typeof ChatRequest>): unknown {
  const renamed: Record<string, unknown> = { ...request };
  if (max_tokens !== undefined) renamed.max_completion_tokens ??= max_tokens;
  if (reasoning_effort !== undefined) renamed.reasoning = { effort: reasoning_effort, ...request.reasoning };
  return renamed;
}

export const chat: Verb<ChatRequest, ChatResponse, ChatResponse> = {
  requestType: "chat_completion",
  method: "chat",
  parse: parseChat,
  ask: (provider, request, attempt) => provider.chat(request, attempt),
  deliver: deliverWhole,
};

export const streamChat: Verb<ChatRequest, Opened, AsyncIterable<ChatChunk>> = {
  requestType: "chat_completion_stream",
  method: "streamChat",
  parse: parseChat,
  ask: (provider, request, attempt) => openStream(provider.streamChat(request, attempt), attempt),
  deliver: deliverStream,
};

export const embed: Verb<EmbeddingRequest, EmbeddingResponse, EmbeddingResponse> = {
  requestType: "embedding",
  method: "embed",
  parse: parserOf(EmbeddingRequest),
  ask: (provider, request, attempt) => provider.embed(request, attempt),
  deliver: deliverWhole,
};

export const rerank: Verb<RerankRequest, RerankResponse, RerankResponse> = {
  requestType: "rerank",
  method: "rerank",
  parse: parserOf(RerankRequest),
  ask: (provider, request, attempt) => provider.rerank(request, attempt),
  deliver: deliverWhole,
};

export const decide: Verb<DecisionRequest, DecisionResponse, DecisionResponse> = {
  requestType: "decision",
  method: "decide",
  parse: (input) => (isListForm(input) ? parseList(input) : parseMap(input)),
  ask: (provider, request, attempt) => provider.decide(request, attempt),
  deliver: deliverWhole,
};
