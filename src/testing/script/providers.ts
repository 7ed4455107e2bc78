import type { ChatRequest } from "../../engine/api/chat.ts";
import type { DecisionRequest } from "../../engine/api/decisions.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../../engine/api/embeddings.ts";
import type { RerankRequest, RerankResponse } from "../../engine/api/rerank.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { defineProvider, type Provider, type ProviderCall } from "../../engine/ports/provider.ts";
import { suggest } from "../../engine/runtime/did-you-mean.ts";
import { answerStreamed, answerWhole, isSpoken } from "./chat.ts";
import { checkScript } from "./check.ts";
import { answerDecisions } from "./decisions.ts";
import { failureOf, type ScriptTurn } from "./failure.ts";
import type { Script, ScriptStep } from "./step.ts";
import { forever, pause } from "./waiting.ts";

/** Providers that act out a script, and a note of every time one was asked. */
export interface ScriptedProviders {
  /** For `createEngine({ providers })`. */
  readonly providers: readonly Provider[];
  /** `provider/model` of each call, in order. */
  readonly calls: readonly string[];
  /** The request of each call as its provider received it, in the same order. */
  readonly requests: readonly ScriptedRequest[];
}

/** What a scripted provider was asked, by the method that was called. */
export type ScriptedRequest =
  | { readonly verb: "chat" | "streamChat"; readonly request: ChatRequest }
  | { readonly verb: "embed"; readonly request: EmbeddingRequest }
  | { readonly verb: "rerank"; readonly request: RerankRequest }
  | { readonly verb: "decide"; readonly request: DecisionRequest };

/**
 * Turns a script into providers: no network, no timers. Pauses pass on `clock`. Throws `invalid_configuration` with the step at fault in
 * `param`, e.g. `a/m.0.kind`.
 */
export function scriptedProviders(script: Script, clock?: Clock): ScriptedProviders {
  checkScript(script, clock !== undefined);
  const calls: string[] = [];
  const requests: ScriptedRequest[] = [];
  const turns = new Map<string, number>();
  const nextTurn = (name: string, asked: ScriptedRequest): ScriptTurn => {
    const turn = turns.get(name) ?? 0;
    calls.push(name);
    requests.push(asked);
    turns.set(name, turn + 1);
    const steps = script[name] ?? [];
    const at = Math.min(turn, steps.length - 1);
    const message = `no model ${name}${suggest(name, Object.keys(script))}`;
    return { place: `${name}.${at}`, step: steps[at] ?? { kind: "fail", status: 404, message } };
  };
  const names = new Set(Object.keys(script).map((name) => name.slice(0, name.indexOf("/"))));
  return { calls, requests, providers: [...names].map((name) => scriptedProvider(name, { nextTurn, clock, script })) };
}

interface ScriptedWorld {
  readonly nextTurn: (name: string, asked: ScriptedRequest) => ScriptTurn;
  readonly clock: Clock | undefined;
  readonly script: Script;
}

/** A provider offers the verbs that steps of its models answer. */
function scriptedProvider(name: string, { nextTurn, clock, script }: ScriptedWorld): Provider {
  const begin = async (asked: ScriptedRequest, call: ProviderCall): Promise<ScriptTurn> => {
    const turn = nextTurn(`${name}/${call.model}`, asked);
    await pause(turn.step, call, clock);
    return turn.step.kind === "silence" ? forever(call) : turn;
  };
  const models = Object.keys(script).filter((model) => model.startsWith(`${name}/`));
  const has = (kind: ScriptStep["kind"]) => models.some((model) => hasStep(script, model, kind));
  return defineProvider({
    name,
    chat: async (request, call) => answerWhole(await begin({ verb: "chat", request }, call), request, call),
    async *streamChat(request, call) {
      const turn = nextTurn(`${name}/${call.model}`, { verb: "streamChat", request });
      if (!isSpoken(turn.step)) await pause(turn.step, call, clock);
      for await (const chunk of answerStreamed(turn, request, call)) {
        await pause(turn.step, call, clock);
        yield chunk;
      }
    },
    ...(has("vectors")
      ? { embed: async (request, call) => answerVectors(await begin({ verb: "embed", request }, call), request, call) }
      : {}),
    ...(has("scores")
      ? { rerank: async (request, call) => answerScores(await begin({ verb: "rerank", request }, call), request, call) }
      : {}),
    ...(has("decisions")
      ? {
          decide: async (request, call) =>
            answerDecisions(await begin({ verb: "decide", request }, call), request, call),
        }
      : {}),
    decides: (model) => hasStep(script, `${name}/${model}`, "decisions"),
  });
}

function hasStep(script: Script, model: string, kind: ScriptStep["kind"]): boolean {
  return script[model]?.some((step) => step.kind === kind) ?? false;
}

/** The vectors of a step; throws where it has none. */
function answerVectors(turn: ScriptTurn, { input }: EmbeddingRequest, call: ProviderCall): EmbeddingResponse {
  const { step } = turn;
  if (step.kind !== "vectors") throw failureOf(turn);
  const texts: readonly unknown[] = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  const data = texts.map((_text, index) => ({
    index,
    object: "embedding",
    embedding: [...(step.vectors[index % step.vectors.length] ?? [])],
  }));
  const usage = { prompt_tokens: texts.length, completion_tokens: 0, total_tokens: texts.length };
  return { object: "list", model: call.model, data, usage };
}

/** The scores of a step, the best first; throws where it has none. */
function answerScores(turn: ScriptTurn, { documents, top_n }: RerankRequest, call: ProviderCall): RerankResponse {
  const { step } = turn;
  if (step.kind !== "scores") throw failureOf(turn);
  const results = documents.map((_document, index) => ({ index, relevance_score: step.scores[index] ?? 0 }));
  results.sort((one, other) => other.relevance_score - one.relevance_score);
  return { id: call.id, model: call.model, results: results.slice(0, top_n) };
}
