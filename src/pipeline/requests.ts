import type { ChatChunk, ChatRequest, ChatResponse } from "../api/chat.ts";
import type { DecisionRequest, DecisionResponse } from "../api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../api/embeddings.ts";
import type { ModelListRequest, ModelListResponse } from "../api/models.ts";
import type { RerankRequest, RerankResponse } from "../api/rerank.ts";
import type { CallOptions } from "./call-options.ts";
import { plainChats, stableChats } from "./chat.ts";
import { countTokens, type TokenCount } from "./count-tokens.ts";
import { listModels } from "./models.ts";
import { type PlanOptions, type PlanRequest, planForCaller, planForKey } from "./plan.ts";
import type { Ports } from "./ports.ts";
import type { Route } from "./route.ts";
import { run } from "./run.ts";
import * as verbs from "./verbs.ts";

/** What can be asked of an engine. */
export interface Requests {
  /** A whole chat answer. `request.stream` is not looked at: the method says it. */
  chat(request: ChatRequest, options?: CallOptions): Promise<ChatResponse>;
  /**
   * A streamed chat answer. Resolves at the commit point, when the first content is there; until then a failure rejects and
   * falls back like a whole answer's. The iterable throws when the stream breaks: only one that returns is complete.
   */
  streamChat(request: ChatRequest, options?: CallOptions): Promise<AsyncIterable<ChatChunk>>;
  embed(request: EmbeddingRequest, options?: CallOptions): Promise<EmbeddingResponse>;
  rerank(request: RerankRequest, options?: CallOptions): Promise<RerankResponse>;
  decide(request: DecisionRequest, options?: CallOptions): Promise<DecisionResponse>;
  /** How long the prompt of a chat request is, without asking for an answer; `is_estimate` where the vendor has no such question. */
  countTokens(request: ChatRequest, options?: CallOptions): Promise<TokenCount>;
  /** The models of all providers, or of one, in pages. */
  models(request?: ModelListRequest, options?: CallOptions): Promise<ModelListResponse>;
  /**
   * The route that a request would take, with the reasons for what it leaves out; asks nobody. A target on it is passed over at its
   * turn while its circuit is open (`health()`) or a budget or window has no room.
   */
  plan(request: PlanRequest, options?: PlanOptions): Route;
  /** The route that a request of a virtual key would take. Throws what a call of the key would be refused with. */
  planFor(key: string, request: PlanRequest, options?: PlanOptions): Promise<Route>;
}

/** The requests of an engine, each through the one pipeline. */
export function requestsOf(ports: Ports): Requests {
  const { chat, streamChat } = ports.routing.hasStablePrompts ? stableChats : plainChats;
  return {
    chat: (input, callOptions = {}) => run(ports, chat, { input, options: callOptions }),
    streamChat: (input, callOptions = {}) => run(ports, streamChat, { input, options: callOptions }),
    embed: (input, callOptions = {}) => run(ports, verbs.embed, { input, options: callOptions }),
    rerank: (input, callOptions = {}) => run(ports, verbs.rerank, { input, options: callOptions }),
    decide: (input, callOptions = {}) => run(ports, verbs.decide, { input, options: callOptions }),
    countTokens: (input, callOptions = {}) => countTokens(ports, { input, options: callOptions }),
    models: (input = {}, callOptions = {}) => listModels(ports, { input, options: callOptions }),
    plan: (request, planOptions = {}) => planForCaller(ports, request, planOptions),
    planFor: (key, request, planOptions = {}) => planForKey(ports, key, { request, options: planOptions }),
  };
}
