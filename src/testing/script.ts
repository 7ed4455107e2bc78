import type { ChatChunk, ChatRequest, ChatResponse } from "../api/chat.ts";
import type { Usage } from "../api/usage.ts";
import { GatewayError } from "../errors.ts";
import { defineProvider, type Provider, type ProviderCall } from "../ports/provider.ts";

/** What a scripted model does when it is asked. */
export type ScriptStep =
  /** Answers, whole or streamed word by word. */
  | { readonly kind: "answer"; readonly text: string; readonly usage?: Usage | undefined }
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

/** For each `provider/model`, what it does time after time; the last step repeats. */
export type Script = Readonly<Record<string, readonly ScriptStep[]>>;

/** Providers that act out a script, and a note of every time one was asked. */
export interface ScriptedProviders {
  readonly providers: readonly Provider[];
  /** `provider/model` of each call, in order. */
  readonly calls: readonly string[];
}

/** Turns a script into providers: no network, no timers. */
export function scriptedProviders(script: Script): ScriptedProviders {
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
  return { calls, providers: [...names].map((name) => scriptedProvider(name, nextStep)) };
}

function scriptedProvider(name: string, nextStep: (provider: string, model: string) => ScriptStep): Provider {
  return defineProvider({
    name,
    async chat(request, call) {
      return answerWhole(nextStep(name, call.model), request, call);
    },
    streamChat(request, call) {
      return answerStreamed(nextStep(name, call.model), request, call);
    },
  });
}

async function answerWhole(step: ScriptStep, request: ChatRequest, call: ProviderCall): Promise<ChatResponse> {
  if (step.kind === "silence") return forever(call);
  if (step.kind === "break" || step.kind === "truncate") {
    throw new GatewayError("upstream_unreachable", "The connection was lost.");
  }
  if (step.kind !== "answer") throw failureOf(step);
  const message = { role: "assistant" as const, content: step.text };
  const usage = step.usage ?? usageOf(request, step.text);
  const { id, model } = call;
  return {
    id,
    object: "chat.completion",
    created: created(call),
    model,
    usage,
    choices: [{ index: 0, finish_reason: "stop", message }],
  };
}

async function* answerStreamed(step: ScriptStep, request: ChatRequest, call: ProviderCall): AsyncGenerator<ChatChunk> {
  if (step.kind === "fail" || step.kind === "unreachable" || step.kind === "defect") throw failureOf(step);
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
  yield chunk([{ index: 0, finish_reason: "stop", delta: {} }]);
  const usage = step.kind === "answer" ? step.usage : undefined;
  yield { ...chunk([]), usage: usage ?? usageOf(request, text) };
}

function failureOf(step: Extract<ScriptStep, { kind: "fail" | "unreachable" | "defect" }>): Error {
  if (step.kind === "unreachable") return new GatewayError("upstream_unreachable", "No connection.");
  if (step.kind === "defect") return new TypeError("a scripted defect");
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
