import type { ChatChunk, ChatResponse } from "../api/chat.ts";
import type { RequestType } from "../api/common.ts";
import type { DecisionResponse } from "../api/decisions.ts";
import type { EmbeddingResponse } from "../api/embeddings.ts";
import type { ModelListRequest, ModelListResponse } from "../api/models.ts";
import type { RerankResponse } from "../api/rerank.ts";
import type {
  ClosedRerankRequest,
  SentChatRequest,
  SentDecisionRequest,
  SentEmbeddingRequest,
} from "../api/sent/requests.ts";
import type { KeyPermissions } from "../policy/access.ts";
import { refuseCaller } from "../policy/decide.ts";
import { toRefusalError } from "../policy/refusal.ts";
import type { MaybePromise } from "../runtime/maybe-promise.ts";
import { settleFailure } from "./accounting/settle.ts";
import { findKey } from "./call/authenticate.ts";
import { openCall } from "./call/call.ts";
import { asFreeCall } from "./call/free-call.ts";
import type { CallOptions } from "./call/options.ts";
import { type PlanOptions, type PlanRequest, planForCaller, planForKey } from "./routing/explain.ts";
import type { Route } from "./routing/route.ts";
import { pipelineOf } from "./run.ts";
import type { Ports } from "./runtime/ports.ts";
import { plainChats } from "./verbs/chat.ts";
import type { TokenCount } from "./verbs/count-tokens.ts";
import type { ObjectRequest, Objects } from "./verbs/object/object-request.ts";
import * as verbs from "./verbs/retrieval.ts";
import { stableChats } from "./verbs/stable-chats.ts";

/** The requests that an engine accepts. */
export interface Requests extends Objects {
  /** A whole chat answer. `request.stream` is ignored: the method decides. */
  chat(request: SentChatRequest, options?: CallOptions): Promise<ChatResponse>;
  /**
   * A streamed chat answer. Resolves at the commit point, when the first content is there; until then a failure rejects and
   * falls back like a whole answer's. The iterable throws when the stream breaks: only one that returns is complete.
   */
  streamChat(request: SentChatRequest, options?: CallOptions): Promise<AsyncIterable<ChatChunk>>;
  embed(request: SentEmbeddingRequest, options?: CallOptions): Promise<EmbeddingResponse>;
  /** Documents may be plain strings. */
  rerank(request: ClosedRerankRequest, options?: CallOptions): Promise<RerankResponse>;
  decide(request: SentDecisionRequest, options?: CallOptions): Promise<DecisionResponse>;
  /** The length of a chat request's prompt, without an answer; `is_estimate` where the vendor offers no count. */
  countTokens(request: SentChatRequest, options?: CallOptions): Promise<TokenCount>;
  /** The models of all providers, or of one, in pages. */
  models(request?: ModelListRequest, options?: CallOptions): Promise<ModelListResponse>;
  /**
   * Throws the refusal that a call with this key would get, before there is a request: a carrier asks before it reads a body. Synchronous
   * where the key is cached. With a `requestType` the refused request has its events, and its ledger entry where its key is known.
   */
  admit(options: CallOptions, requestType?: RequestType): MaybePromise<void>;
  /**
   * The route that a request would take, with the reasons for what it leaves out; sends no request. A target on it is skipped at
   * its turn while its circuit is open (`health()`) or a budget or window has no room.
   */
  plan(request: PlanRequest, options?: PlanOptions): Route;
  /** The route that a request of a virtual key would take. Throws the refusal that a call of the key would get. */
  planFor(key: string, request: PlanRequest, options?: PlanOptions): Promise<Route>;
  /** The same by the id of the key, for administration. */
  planForId(keyId: string, request: PlanRequest, options?: PlanOptions): Promise<Route>;
}

/** The requests of an engine, each through the one pipeline. */
export function requestsOf(ports: Ports): Requests {
  const chats = ports.routing.hasStablePrompts ? stableChats : plainChats;
  const chat = pipelineOf(ports, chats.chat);
  const streamChat = pipelineOf(ports, chats.streamChat);
  const embed = pipelineOf(ports, verbs.embed);
  const rerank = pipelineOf(ports, verbs.rerank);
  const decide = lateDecisions(ports);
  return {
    chat: (input, callOptions = {}) => chat(input, callOptions),
    streamChat: (input, callOptions = {}) => streamChat(input, callOptions),
    embed: (input, callOptions = {}) => embed(input, callOptions),
    rerank: (input, callOptions = {}) => rerank(input, callOptions),
    decide: async (input, callOptions = {}) => (await decide())(input, callOptions),
    // Loaded with the first request of their kind: most programs have none. The call is open before that: a shutdown waits for it.
    countTokens: (input, callOptions = {}) =>
      asFreeCall(ports, { input, options: callOptions }, async (call) =>
        (await import("./verbs/count-tokens.ts")).countTokens(call, input),
      ),
    models: async (input = {}, callOptions = {}) => {
      const call = openCall(ports, "list_models", { input, options: callOptions });
      return (await import("./verbs/models.ts")).listModels(call, input);
    },
    object: async <Output>(input: ObjectRequest<Output>, callOptions: CallOptions = {}) =>
      (await import("./verbs/object/ask-object.ts")).askObject<Output>(chat, input, callOptions),
    admit: (callOptions, requestType) => admitKey(ports, callOptions, requestType),
    plan: (request, planOptions = {}) => planForCaller(ports, request, planOptions),
    planForId: (id, request, planOptions = {}) => planForKey(ports, { id }, { request, options: planOptions }),
    planFor: (key, request, planOptions = {}) => planForKey(ports, key, { request, options: planOptions }),
  };
}

/** Requests that each go through the configuration that is live when they are made. */
export function liveRequests(live: () => Requests): Requests {
  return {
    chat: (input, options) => live().chat(input, options),
    streamChat: (input, options) => live().streamChat(input, options),
    embed: (input, options) => live().embed(input, options),
    rerank: (input, options) => live().rerank(input, options),
    decide: (input, options) => live().decide(input, options),
    countTokens: (input, options) => live().countTokens(input, options),
    models: (input, options) => live().models(input, options),
    object: (input: ObjectRequest<unknown>, options?: CallOptions) => live().object(input, options) as Promise<never>, // by its schema
    admit: (options, requestType) => live().admit(options, requestType),
    plan: (request, options) => live().plan(request, options),
    planForId: (id, request, options) => live().planForId(id, request, options),
    planFor: (key, request, options) => live().planFor(key, request, options),
  };
}

/** The pipeline of decisions, composed with the first request: most programs have none, and theirs is not loaded. */
function lateDecisions(ports: Ports) {
  let composed: Promise<(input: unknown, options: CallOptions) => Promise<DecisionResponse>> | undefined;
  return () => {
    composed ??= import("./verbs/decide/decide.ts").then(({ decide }) => pipelineOf(ports, decide));
    return composed;
  };
}

/**
 * Throws the refusal that a call with this key would get, before there is a request. Synchronous where the key is cached: every request
 * over HTTP waits for it. With a `requestType` a refused request is settled like any other: it has its events, and its ledger entry where
 * its key is known.
 */
function admitKey(ports: Ports, options: CallOptions, requestType: RequestType | undefined): MaybePromise<void> {
  const now = ports.clock.now();
  const judge = (access: KeyPermissions | undefined): MaybePromise<void> => {
    const { isKeyRequired } = ports.accounting;
    const refusal = refuseCaller({ hasKey: options.key !== undefined, access, isKeyRequired, now });
    if (!refusal) return undefined;
    const error = toRefusalError(refusal);
    if (requestType === undefined) throw error;
    const call = openCall(ports, requestType, { input: undefined, options });
    call.access = access;
    return settleFailure(call, error).then((settled) => {
      throw settled;
    });
  };
  const found = options.key === undefined ? undefined : findKey(ports, options.key, now);
  return found instanceof Promise ? found.then(judge) : judge(found);
}
