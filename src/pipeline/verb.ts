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
import type { ModelFacts, Provider, ProviderVerb } from "../ports.ts";
import { boundChat, boundDecision, boundEmbedding, boundRerank, type Consumable } from "../usage/estimate.ts";
import type { Journey } from "./ask.ts";
import type { Attempt } from "./attempt.ts";
import { type Parser, parserOf } from "./parse.ts";
import { deliverStream } from "./relay.ts";
import { deliverWhole } from "./settle.ts";
import { type Opened, openStream } from "./stream.ts";
import type { Served } from "./target.ts";

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
  readonly deliver: (journey: Journey, served: Served<Answer>, request: Request) => Promise<Result>;
  /** The most that the request can consume of a model. */
  readonly bound: (request: Request, facts: ModelFacts | undefined) => Consumable;
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
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundChat,
};

export const streamChat: Verb<ChatRequest, Opened, AsyncIterable<ChatChunk>> = {
  requestType: "chat_completion_stream",
  method: "streamChat",
  parse: parseChat,
  ask: (provider, request, attempt) => openStream(provider.streamChat(request, attempt), attempt),
  deliver: deliverStream,
  bound: boundChat,
};

export const embed: Verb<EmbeddingRequest, EmbeddingResponse, EmbeddingResponse> = {
  requestType: "embedding",
  method: "embed",
  parse: parserOf(EmbeddingRequest),
  ask: (provider, request, attempt) => provider.embed(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundEmbedding,
};

export const rerank: Verb<RerankRequest, RerankResponse, RerankResponse> = {
  requestType: "rerank",
  method: "rerank",
  parse: parserOf(RerankRequest),
  ask: (provider, request, attempt) => provider.rerank(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundRerank,
};

export const decide: Verb<DecisionRequest, DecisionResponse, DecisionResponse> = {
  requestType: "decision",
  method: "decide",
  parse: (input) => (isListForm(input) ? parseList(input) : parseMap(input)),
  ask: (provider, request, attempt) => provider.decide(request, attempt),
  deliver: ({ call }, served) => deliverWhole(call, served),
  bound: boundDecision,
};
