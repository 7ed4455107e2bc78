import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import type { ChatChunk, ChatResponse } from "../../../src/engine/api/chat.ts";
import type { Delta } from "../../../src/engine/api/message.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { type EngineOptions, isGatewayError, type LedgerEntry, type Middleware } from "../../../src/index.ts";
import { engineOver, record } from "./support.ts";

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const rates = { input_cost_per_token: 0.001, output_cost_per_token: 0.001 };

/** A provider that answers with these deltas, and one that judges: `j/m` says yes with a probability. */
export function world(middleware: readonly Middleware[], options: Partial<EngineOptions> = {}) {
  const state = {
    deltas: [{ content: "Hello there." }] as Delta[],
    yes: 0.9,
    sent: [] as unknown[],
    judged: 0,
    judge: undefined as (() => Promise<void>) | undefined,
  };
  const base = { id: "x", created: 1, model: "m" };
  const answering: Provider = {
    name: "a",
    async chat(request): Promise<ChatResponse> {
      state.sent.push(request);
      const content = state.deltas.map((delta) => delta.content ?? "").join("");
      const message = { role: "assistant" as const, content };
      const choices = [{ index: 0, finish_reason: "stop", message }];
      return { ...base, object: "chat.completion", choices, usage };
    },
    async *streamChat(request): AsyncGenerator<ChatChunk> {
      state.sent.push(request);
      const chunk = { ...base, object: "chat.completion.chunk" };
      for (const delta of state.deltas) yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta }] };
      yield { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }], usage };
    },
    async embed(request) {
      state.sent.push(request);
      return { object: "list", model: "m", data: [{ index: 0, object: "embedding", embedding: [1] }], usage };
    },
  };
  const judge: Provider = {
    name: "j",
    async chat(request, { id, model }) {
      state.judged++;
      await state.judge?.();
      const text = JSON.stringify(request.messages);
      const isFirst = text.indexOf("yes") < text.indexOf("no)") || /A[^A-Z]{1,4}yes/.test(text);
      const [a, b] = isFirst ? [state.yes, 1 - state.yes] : [1 - state.yes, state.yes];
      const listed = [
        { token: "A", logprob: Math.log(a) },
        { token: "B", logprob: Math.log(b) },
      ];
      const content = [{ token: "A", logprob: Math.log(a), top_logprobs: listed }];
      const message = { role: "assistant" as const, content: "A" };
      return {
        ...{ id, object: "chat.completion", created: 1, model, usage },
        choices: [{ index: 0, finish_reason: "stop", message, log_probs: { content } }],
      };
    },
  };
  const store = memoryStore();
  const prices = {
    version: "1",
    find: (provider: string, model: string) => ({ provider, model, rates }),
    list: () => [],
  };
  const { engine, clock } = engineOver([answering, judge], { middleware, store, prices, ...options });
  const rows = async (): Promise<readonly LedgerEntry[]> =>
    (await store.ledger.entries({ from: 0, to: 2 ** 50, limit: 100 })).entries;
  return {
    state,
    engine,
    clock,
    store,
    rows,
    events: record(engine, "middleware"),
    settled: record(engine, "settled"),
  };
}

export const asked = (content = "hi") => ({ model: "a/m", messages: [{ role: "user" as const, content }] });

/** What a stream gave before it ended or broke. */
export async function read(stream: AsyncIterable<ChatChunk>) {
  const chunks: ChatChunk[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { chunks, error };
  }
  return { chunks, error: undefined };
}

export const contentOf = (chunks: readonly ChatChunk[]) =>
  chunks.map(({ choices: [choice] }) => choice?.delta.content ?? "").join("");
