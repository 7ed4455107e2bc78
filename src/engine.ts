import type { ChatChunk, ChatRequest, ChatResponse } from "./api/chat.ts";
import type { DecisionRequest, DecisionResponse } from "./api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "./api/embeddings.ts";
import type { ModelListRequest, ModelListResponse } from "./api/models.ts";
import type { RerankRequest, RerankResponse } from "./api/rerank.ts";
import { GatewayError } from "./errors.ts";
import { createEvents, type EventMap } from "./events.ts";
import { type EngineOptions, readOptions, type World } from "./options.ts";
import { type Call, type CallOptions, cancelCall, type Ports } from "./pipeline/call.ts";
import { listModels } from "./pipeline/models.ts";
import { planFor, run } from "./pipeline/run.ts";
import * as verbs from "./pipeline/verb.ts";
import type { ProviderVerb } from "./ports.ts";
import type { Plan } from "./route/plan.ts";

export type { CallOptions, EngineOptions };

/** A gateway inside the process. Every method takes the wire's own shapes and throws only `GatewayError`. */
export interface Engine {
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
  /** The models of all providers, or of one, in pages. */
  models(request?: ModelListRequest, options?: CallOptions): Promise<ModelListResponse>;
  /** The route that a request would take, with the reasons for what it leaves out; asks nobody. */
  plan(request: PlanRequest): Plan;
  /** Listens to an event; the returned function stops listening. */
  on<Name extends keyof EventMap>(name: Name, listener: (event: EventMap[Name]) => void): () => void;
  /** A fresh identifier in the engine's own form. */
  newEventId(): string;
  /** Requests under way. */
  readonly inFlight: number;
  /**
   * Takes no new work, waits for the requests under way, cancels what is left after `graceMs` (default 30,000), then lets go of
   * the providers' sockets. Later calls give the same promise.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** What `engine.plan` looks at. */
export interface PlanRequest {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
  /** The provider's method that would be called; `chat` by default. */
  readonly verb?: ProviderVerb | undefined;
}

/** How patiently the engine closes. */
export interface CloseOptions {
  readonly graceMs?: number | undefined;
}

/** Builds an engine over the world it is given; `createEngine` of the package adds the machine's own. */
export function assembleEngine(options: EngineOptions, world: World): Engine {
  const { providers, timeouts, retry } = readOptions(options);
  const events = createEvents();
  const calls = new Set<Call>();
  let closing: Promise<void> | undefined;
  const { clock = world.clock, random = world.random, ids = world.ids } = options;
  let isClosing = false;
  const isDraining = () => isClosing;
  const ports: Ports = Object.freeze({ providers, clock, random, ids, events, timeouts, retry, calls, isDraining });
  return {
    chat: (input, callOptions = {}) => run(ports, verbs.chat, { input, options: callOptions }),
    streamChat: (input, callOptions = {}) => run(ports, verbs.streamChat, { input, options: callOptions }),
    embed: (input, callOptions = {}) => run(ports, verbs.embed, { input, options: callOptions }),
    rerank: (input, callOptions = {}) => run(ports, verbs.rerank, { input, options: callOptions }),
    decide: (input, callOptions = {}) => run(ports, verbs.decide, { input, options: callOptions }),
    models: (input = {}, callOptions = {}) => listModels(ports, { input, options: callOptions }),
    plan: ({ verb = "chat", ...request }) => planFor(ports, verb, request),
    newEventId: ids,
    get inFlight() {
      return calls.size;
    },
    on(name, listener) {
      events.on(name, listener as never);
      return () => void events.off(name, listener as never);
    },
    close({ graceMs = 30_000 } = {}) {
      isClosing = true;
      closing ??= drain(ports, graceMs);
      return closing;
    },
  };
}

async function drain(ports: Ports, graceMs: number): Promise<void> {
  await allSettled(ports, graceMs);
  for (const call of ports.calls)
    cancelCall(call, new GatewayError("shutting_down", "The gateway shut down meanwhile."));
  await Promise.all([...ports.providers.values()].map((provider) => provider.close?.()));
}

/** Resolves when no request is under way, or after `graceMs`. */
function allSettled({ calls, clock, events }: Ports, graceMs: number): Promise<void> {
  if (calls.size === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      cancelTimer();
      events.off("settled", check);
      resolve();
    };
    const check = () => {
      if (calls.size === 0) finish();
    };
    const cancelTimer = clock.after(graceMs, finish);
    events.on("settled", check);
  });
}
