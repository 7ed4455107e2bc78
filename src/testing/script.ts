import type { ChatChunk, ChatRequest, ChatResponse } from "../api/chat.ts";
import type { EmbeddingRequest, EmbeddingResponse } from "../api/embeddings.ts";
import type { FunctionToolCall } from "../api/message.ts";
import type { RerankRequest, RerankResponse } from "../api/rerank.ts";
import type { Usage } from "../api/usage.ts";
import { GatewayError } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";
import { defineProvider, type Provider, type ProviderCall } from "../ports/provider.ts";
import { checkScript } from "./script-check.ts";

/** What a scripted model does when it is asked. */
export type ScriptStep =
  /** Answers, whole or streamed word by word, with a text, calls of tools, or both. */
  | {
      readonly kind: "answer";
      readonly text?: string | undefined;
      readonly calls?: readonly ScriptedCall[] | undefined;
      readonly usage?: Usage | undefined;
      /** Milliseconds before a whole answer, and before each piece of a stream. */
      readonly pauseMs?: number | undefined;
    }
  /** Answers an embedding request: one vector for each text, from the beginning again when they are used up. */
  | { readonly kind: "vectors"; readonly vectors: readonly (readonly number[])[] }
  /** Answers a rerank request: the score of each document, in the order of the request; 0 for those without one. */
  | { readonly kind: "scores"; readonly scores: readonly number[] }
  /** Answers with an error status, as the vendor would. */
  | {
      readonly kind: "fail";
      readonly status: number;
      readonly message?: string | undefined;
      readonly code?: string | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  /** Cannot be reached. */
  | { readonly kind: "unreachable" }
  /** Streams `after` words of `text` and breaks off; a whole answer is lost on the way. */
  | { readonly kind: "break"; readonly text: string; readonly after: number }
  /** Streams `after` words of `text` and ends as if that were all, without a finish reason (a whole answer is lost). */
  | { readonly kind: "truncate"; readonly text: string; readonly after: number }
  /** Streams `after` words of `text`, then says nothing more. */
  | { readonly kind: "silence"; readonly text?: string | undefined; readonly after?: number | undefined }
  /** Throws what no provider should: a defect. */
  | { readonly kind: "defect" };

/** A call of a tool in an answer; its id is `call_<n>` unless given. Arguments that are no text become JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments?: string | Readonly<Record<string, unknown>> | undefined;
  readonly id?: string | undefined;
}

/** For each `provider/model`, what it does time after time; the last step repeats. */
export type Script = Readonly<Record<string, readonly ScriptStep[]>>;

/** Providers that act out a script, and a note of every time one was asked. */
export interface ScriptedProviders {
  readonly providers: readonly Provider[];
  /** `provider/model` of each call, in order. */
  readonly calls: readonly string[];
}

/**
 * Turns a script into providers: no network, no timers. Pauses pass on `clock`. Throws `invalid_configuration` with the step at fault in
 * `param`, e.g. `a/m.0.kind`.
 */
export function scriptedProviders(script: Script, clock?: Clock): ScriptedProviders {
  checkScript(script, clock !== undefined);
  const calls: string[] = [];
  const turns = new Map<string, number>();
  const nextStep = (provider: string, model: string): ScriptStep => {
    const name = `${provider}/${model}`;
    const turn = turns.get(name) ?? 0;
    calls.push(name);
    turns.set(name, turn + 1);
    const steps = script[name];
    return steps?.[Math.min(turn, steps.length - 1)] ?? { kind: "fail", status: 404, message: `no model ${name}` };
  };
  const names = new Set(Object.keys(script).map((name) => name.slice(0, name.indexOf("/"))));
  return {
    calls,
    providers: [...names].map((name) => scriptedProvider(name, { nextStep, clock, kinds: kindsOf(script, name) })),
  };
}

interface ScriptedWorld {
  readonly nextStep: (provider: string, model: string) => ScriptStep;
  readonly clock: Clock | undefined;
  /** The kinds of step that the provider has: it offers the verbs that they answer. */
  readonly kinds: ReadonlySet<string>;
}

function kindsOf(script: Script, provider: string): ReadonlySet<string> {
  const own = Object.entries(script).filter(([name]) => name.startsWith(`${provider}/`));
  return new Set(own.flatMap(([, steps]) => steps.map(({ kind }) => kind)));
}

function scriptedProvider(name: string, { nextStep, clock, kinds }: ScriptedWorld): Provider {
  return defineProvider({
    name,
    async chat(request, call) {
      const step = nextStep(name, call.model);
      await pause(step, call, clock);
      return answerWhole(step, request, call);
    },
    async *streamChat(request, call) {
      const step = nextStep(name, call.model);
      for await (const chunk of answerStreamed(step, request, call)) {
        await pause(step, call, clock);
        yield chunk;
      }
    },
    ...(kinds.has("vectors")
      ? { embed: async (request, call) => answerVectors(nextStep(name, call.model), request, call) }
      : {}),
    ...(kinds.has("scores")
      ? { rerank: async (request, call) => answerScores(nextStep(name, call.model), request, call) }
      : {}),
  });
}

async function answerWhole(step: ScriptStep, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  if (step.kind === "silence") return forever(call);
  if (step.kind === "break" || step.kind === "truncate") {
    throw new GatewayError("upstream_unreachable", "The connection was lost.");
  }
  if (step.kind !== "answer") throw failureOf(step);
  const calls = callsOf(step);
  const content = step.text ?? (calls.length > 0 ? null : "");
  const message = { role: "assistant" as const, content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const usage = step.usage ?? usageOf(request, step.text ?? "");
  const { id, model } = call;
  return {
    id,
    object: "chat.completion",
    created: created(call),
    model,
    usage,
    choices: [{ index: 0, finish_reason: calls.length > 0 ? "tool_calls" : "stop", message }],
  };
}

async function* answerStreamed(step: ScriptStep, request: ChatRequest, call: ProviderCall): AsyncGenerator<ChatChunk> {
  if (!("text" in step) && step.kind !== "answer" && step.kind !== "silence") throw failureOf(step);
  const text = step.text ?? "";
  const words = text.match(/\S+\s*/g) ?? [];
  const reported = step.kind === "answer" ? words : words.slice(0, step.after ?? 0);
  const { id, model } = call;
  const chunk = (choices: ChatChunk["choices"]): ChatChunk => ({
    id,
    object: "chat.completion.chunk",
    created: created(call),
    model,
    choices,
  });
  yield chunk([{ index: 0, finish_reason: null, delta: { role: "assistant" } }]);
  for (const content of reported) yield chunk([{ index: 0, finish_reason: null, delta: { content } }]);
  if (step.kind === "silence") await forever(call);
  if (step.kind === "break") throw new GatewayError("upstream_stream_broken", "The stream broke off.");
  if (step.kind === "truncate") return;
  const calls = step.kind === "answer" ? callsOf(step) : [];
  for (const [index, call] of calls.entries())
    yield chunk([{ index: 0, finish_reason: null, delta: { tool_calls: [{ ...call, index }] } }]);
  yield chunk([{ index: 0, finish_reason: calls.length > 0 ? "tool_calls" : "stop", delta: {} }]);
  const usage = step.kind === "answer" ? step.usage : undefined;
  yield { ...chunk([]), usage: usage ?? usageOf(request, text) };
}

function callsOf({ calls = [] }: { readonly calls?: readonly ScriptedCall[] | undefined }): FunctionToolCall[] {
  return calls.map(({ name, arguments: provided = {}, id }, at) => {
    const text = typeof provided === "string" ? provided : JSON.stringify(provided);
    return { id: id ?? `call_${at}`, type: "function", function: { name, arguments: text } };
  });
}

function answerVectors(step: ScriptStep, { input }: EmbeddingRequest, call: ProviderCall): EmbeddingResponse {
  if (step.kind !== "vectors") throw failureOf(step);
  const texts: readonly unknown[] = typeof input === "string" || typeof input[0] === "number" ? [input] : input;
  const data = texts.map((_text, index) => ({
    index,
    object: "embedding",
    embedding: [...(step.vectors[index % step.vectors.length] ?? [])],
  }));
  const usage = { prompt_tokens: texts.length, completion_tokens: 0, total_tokens: texts.length };
  return { object: "list", model: call.model, data, usage };
}

function answerScores(step: ScriptStep, { documents, top_n }: RerankRequest, call: ProviderCall): RerankResponse {
  if (step.kind !== "scores") throw failureOf(step);
  const results = documents.map((_document, index) => ({ index, relevance_score: step.scores[index] ?? 0 }));
  results.sort((one, other) => other.relevance_score - one.relevance_score);
  return { id: call.id, model: call.model, results: results.slice(0, top_n) };
}

/** Waits on the script's own clock; rejects when the call is over. */
function pause(step: ScriptStep, { signal }: ProviderCall, clock: Clock | undefined): Promise<void> | undefined {
  const ms = step.kind === "answer" ? step.pauseMs : undefined;
  if (!ms || !clock) return undefined;
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, resolve);
    const stop = () => {
      cancel();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

function failureOf(step: ScriptStep): Error {
  if (step.kind === "unreachable") return new GatewayError("upstream_unreachable", "No connection.");
  if (step.kind === "defect") return new TypeError("a scripted defect");
  if (step.kind !== "fail") {
    const message = `the script has a step \`${step.kind}\` here, which does not answer this request`;
    return new GatewayError("upstream_error", message, { upstream: { status: 400, message } });
  }
  const { status, code, message = `scripted ${status}`, retryAfterMs } = step;
  return new GatewayError("upstream_error", message, { upstream: { status, code, message }, retryAfterMs });
}

function forever({ signal }: ProviderCall): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

/** Counts words: good enough to add up, and the same every time. */
function usageOf(request: ChatRequest, text: string): Usage {
  const count = (value: string) => value.match(/\S+/g)?.length ?? 0;
  const prompt_tokens = request.messages.reduce(
    (sum, { content }) => sum + (typeof content === "string" ? count(content) : 1),
    0,
  );
  const completion_tokens = count(text);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

function created(call: ProviderCall): number {
  return Math.floor(call.startedAt / 1000);
}
