import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatChunk, ChatRequest } from "../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider, ProviderCall } from "../../../../src/engine/ports/provider.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { answer, engineOver, messages, record, textOf } from "../../support/support.ts";

const request = { model: "a/m", fallbacks: ["b/m"], messages };
const text = "to be or not to be";
const breaking = (after: number) => ({ kind: "break" as const, text, after });

function chunks({ id, model }: ProviderCall, words: readonly string[]): ChatChunk[] {
  const chunk = { id, object: "chat.completion.chunk", created: 1, model };
  const told = words.map((content) => ({ ...chunk, choices: [{ index: 0, finish_reason: null, delta: { content } }] }));
  return [...told, { ...chunk, choices: [{ index: 0, finish_reason: "stop", delta: {} }] }];
}

/** A provider that says `words`, and goes on with `rest` after a prefill. */
function other(words: readonly string[], rest?: readonly string[] | Error): Provider & { prefills: ChatRequest[] } {
  const prefills: ChatRequest[] = [];
  return {
    name: "b",
    prefills,
    async *streamChat(_request, call) {
      yield* chunks(call, words);
    },
    ...(rest === undefined
      ? {}
      : {
          async *continueChat(asked: ChatRequest, call: ProviderCall) {
            prefills.push(asked);
            if (rest instanceof Error) throw rest;
            yield* chunks(call, rest);
          },
        }),
  };
}

/** A provider that breaks off after "to be ". */
const breaker: Provider = {
  name: "a",
  async *streamChat(_request, call) {
    yield* chunks(call, ["to ", "be "]).slice(0, 2);
    throw new GatewayError("upstream_stream_broken", "broke off");
  },
};

describe("a stream that breaks after its first content", () => {
  it("is gone on with by a candidate whose answer begins alike; nothing is told twice", async () => {
    const engine = scriptedEngine({ "a/m": [breaking(3)], "b/m": [answer(text)] });
    expect(await textOf(await engine.streamChat(request))).toBe(text);
    expect(engine.calls).toEqual(["a/m", "b/m"]);
  });
  it("goes on in the middle of a chunk when the other one cuts its words elsewhere", async () => {
    const { engine } = engineOver([breaker, other(["to be or", " not"])]);
    expect(await textOf(await engine.streamChat(request))).toBe("to be or not");
  });
  it("is continued by prefill where the answers differ and the candidate takes one", async () => {
    const next = other(["something else"], ["or not"]);
    const { engine } = engineOver([breaker, next]);
    expect(await textOf(await engine.streamChat(request))).toBe("to be or not");
    expect(next.prefills[0]?.messages.at(-1)).toEqual({ role: "assistant", content: "to be " });
  });
  it("ends with the first error when the other answers otherwise and takes no prefill", async () => {
    const { engine } = engineOver([breaker, other(["something else"])]);
    const error = await textOf(await engine.streamChat(request)).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "upstream_stream_broken", provider: "a" });
    expect(error.message).toContain("No other target could go on: b/m: b/m contradicts the part of the answer");
    expect(error.attempts.map(({ target }: { target: string }) => target)).toEqual(["a/m", "b/m"]);
  });
  it("a refusal of the prefill never hides the first failure", async () => {
    const refusal = new GatewayError("upstream_error", "no prefill", {
      upstream: { status: 400, message: "no prefill" },
    });
    const { engine } = engineOver([breaker, other(["something else"], refusal)]);
    await expect(textOf(await engine.streamChat(request))).rejects.toMatchObject({
      code: "upstream_stream_broken",
      provider: "a",
    });
  });
  it("is an error at once with recovery `error`, or without fallbacks", async () => {
    const script = { "a/m": [breaking(3)], "b/m": [answer(text)] };
    const engine = scriptedEngine(script);
    await expect(textOf(await engine.streamChat(request, { recovery: "error" }))).rejects.toMatchObject({
      code: "upstream_stream_broken",
    });
    await expect(textOf(await engine.streamChat({ model: "a/m", messages }))).rejects.toMatchObject({
      code: "upstream_stream_broken",
    });
    expect(engine.calls).toEqual(["a/m", "a/m"]);
  });
  it("is not resumed when it was calling a tool", async () => {
    const caller: Provider = {
      name: "a",
      async *streamChat(_request, { id, model }) {
        const delta = {
          tool_calls: [{ index: 0, id: "t", type: "function", function: { name: "f", arguments: '{"a' } }],
        };
        yield {
          id,
          object: "chat.completion.chunk",
          created: 1,
          model,
          choices: [{ index: 0, finish_reason: null, delta }],
        };
        throw new GatewayError("upstream_stream_broken", "broke off");
      },
    };
    const { engine } = engineOver([caller, other(["x"])]);
    await expect(textOf(await engine.streamChat(request))).rejects.toMatchObject({ provider: "a" });
  });
  it("accounts for both attempts, and settles once for whom the last chunk names", async () => {
    const engine = scriptedEngine({ "a/m": [breaking(3)], "b/m": [answer(text)] }, { store: memoryStore() });
    const settled = record(engine, "settled");
    await textOf(await engine.streamChat(request));
    expect(settled).toMatchObject([{ status: 200, target: "b/m" }]);
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries[0]?.attempts).toMatchObject([
      { model: "a/m", status: 502, is_estimated: true },
      { model: "b/m", status: 200, is_estimated: false, completion_tokens: 6 },
    ]);
    expect(entries[0]?.attempts[0]?.cost).toBeGreaterThan(0);
  });
  it("is billed at the service tier of each attempt", async () => {
    const prompt = { input_cost_per_token: 1e-6, input_cost_per_token_priority: 2e-6 };
    const rates = { ...prompt, output_cost_per_token: 2e-6, output_cost_per_token_priority: 4e-6 };
    const facts = { provider: "b", model: "m", rates };
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    const tiered = ({ name, streamChat }: Provider, more: object): Provider => ({
      name,
      async *streamChat(asked, call) {
        for await (const chunk of (streamChat as Required<Provider>["streamChat"])(asked, call))
          yield { ...chunk, ...more };
      },
    });
    const providers = [tiered(breaker, { service_tier: "priority" }), tiered(other([text]), { usage })];
    const prices = { version: "v", find: () => facts, list: () => [facts] };
    const { engine } = engineOver(providers, { store: memoryStore(), prices });
    await textOf(await engine.streamChat(request));
    const [first, second] = (await engine.usage.entries({ limit: 1 })).entries[0]?.attempts ?? [];
    expect(first?.items[0]?.basis).toBe("input_cost_per_token_priority");
    expect(second?.items.map(({ basis }) => basis)).toEqual(["input_cost_per_token", "output_cost_per_token"]);
  });
  it("is billed to the other one with all that it said, where that one tells no usage", async () => {
    const words = text.match(/\S+\s*/g) ?? [];
    const thinking: Provider = {
      name: "b",
      async *streamChat(_request, call) {
        const delta = { reasoning: "Hamlet" };
        for (const chunk of chunks(call, [])) yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta }] };
        yield* chunks(call, words);
      },
    };
    const { engine } = engineOver([breaker, thinking], {
      store: memoryStore(),
      tokens: { countText: (said) => said.length, countChat: () => 1 },
    });
    expect(await textOf(await engine.streamChat(request))).toBe(text);
    const { entries } = await engine.usage.entries({ limit: 1 });
    expect(entries[0]?.attempts.map(({ completion_tokens }) => completion_tokens)).toEqual([
      "to be ".length,
      text.length + "Hamlet".length,
    ]);
  });
  it("numbers its chunks on, across the break", async () => {
    const engine = scriptedEngine({ "a/m": [breaking(3)], "b/m": [answer(text)] });
    const seen: ChatChunk[] = [];
    for await (const chunk of await engine.streamChat(request)) seen.push(chunk);
    expect(seen.map(({ extra_fields }) => extra_fields?.chunk_index)).toEqual(seen.map((_, n) => n));
    expect([seen[0]?.extra_fields?.provider, seen.at(-1)?.extra_fields?.provider]).toEqual(["a", "b"]);
  });
});
