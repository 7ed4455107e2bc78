import { memoryCache } from "../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { embeddedVectors } from "../../../adapters/vectors/embedded/index.ts";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { EventMap } from "../../../src/engine/events.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import type { CacheOptions, EngineOptions } from "../../../src/index.ts";
import { engineOver, record } from "./support.ts";

/** A question that a provider was asked and has not answered yet. */
export interface Asked {
  readonly request: ChatRequest;
  readonly signal: AbortSignal;
  /** Answers; of a stream, its next word. */
  say(text: string): void;
  /** Ends a stream well. */
  end(): void;
  fail(error: Error): void;
}

/** A provider that answers when the test says so. */
export function heldProvider(name = "a"): { readonly provider: Provider; readonly asked: Asked[] } {
  const asked: Asked[] = [];
  const provider: Provider = {
    name,
    chat: (request, { id, model, signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        const say = (content: string) => {
          const message = { role: "assistant" as const, content };
          const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
          const choices = [{ index: 0, finish_reason: "stop", message }];
          resolve({ id, object: "chat.completion", created: 1, model, choices, usage });
        };
        asked.push({ request, signal, say, end: () => {}, fail: reject });
      }),
    async *streamChat(request, { id, model, signal }) {
      const steps: (string | Error | undefined)[] = [];
      let wake = () => {};
      const push = (step: string | Error | undefined) => {
        steps.push(step);
        wake();
      };
      signal.addEventListener("abort", () => push(signal.reason as Error));
      asked.push({ request, signal, say: push, end: () => push(undefined), fail: push });
      const chunk = { id, object: "chat.completion.chunk", created: 1, model };
      for (;;) {
        while (steps.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const step = steps.shift();
        if (step instanceof Error) throw step;
        if (step === undefined) break;
        yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content: step } }] };
      }
      yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] };
      yield { ...chunk, choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
    },
  };
  return { provider, asked };
}

/** An embedding provider: each text has the vector that `vectorOf` gives it. */
export function embedder(vectorOf: (text: string) => number[], name = "e"): { provider: Provider; texts: string[] } {
  const texts: string[] = [];
  const provider: Provider = {
    name,
    async embed({ input }, { model }) {
      texts.push(String(input));
      const data = [{ index: 0, object: "embedding", embedding: vectorOf(String(input)) }];
      const usage = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 };
      return { object: "list", model, data, usage };
    },
  };
  return { provider, texts };
}

/** A question. */
export const ask = (content: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "a/m",
  messages: [{ role: "user", content }],
  ...more,
});

/** An engine with a cache and a store over held providers. */
export function cachedEngine(cache: Partial<CacheOptions> = {}, more: Partial<EngineOptions> = {}) {
  const { provider, asked } = heldProvider();
  const others = more.providers ?? [];
  const options = { store: memoryStore(), cache: { answers: memoryCache(), ...cache }, ...more };
  const { engine, clock } = engineOver([provider, ...others], { ...options, providers: [provider, ...others] });
  const events: EventMap["cache"][] = record(engine, "cache");
  return { engine, clock, asked, events };
}

/** The parts of a cache that looks for similar questions. */
export function semantic(more: Partial<CacheOptions> = {}): Partial<CacheOptions> {
  return { vectors: embeddedVectors(), embed: "e/m", ...more };
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
