import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { type Script, scriptedEngine } from "../../../../src/testing/index.ts";
import { answer, engineOver, messages, record, settled, textOf, wordByWord } from "../../support/support.ts";

describe("streamChat", () => {
  const script: Script = { "a/m": [answer("to be or not")] };

  it("counts chunks from 0 and shows usage only when asked", async () => {
    const quiet: ChatChunk[] = [];
    for await (const chunk of await scriptedEngine(script).streamChat({ model: "a/m", messages })) quiet.push(chunk);
    expect(quiet.map((chunk) => chunk.extra_fields?.chunk_index)).toEqual(quiet.map((_, n) => n));
    expect(quiet.some((chunk) => chunk.usage)).toBe(false);
    const told: ChatChunk[] = [];
    const request = { model: "a/m", messages, stream_options: { include_usage: true } };
    for await (const chunk of await scriptedEngine(script).streamChat(request)) told.push(chunk);
    expect(told.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 2, completion_tokens: 4, total_tokens: 6 },
    });
  });
  it.each([{}, { input_cost_per_token: 1e-6 }, { output_cost_per_token: 1e-6 }])(
    "warns of a price that is not known for all tokens, as a whole answer does: %j",
    async (rates) => {
      const prices = { version: "1", find: () => ({ provider: "a", model: "m", rates }), list: () => [] };
      const engine = scriptedEngine(script, { prices });
      const chunks: ChatChunk[] = [];
      for await (const chunk of await engine.streamChat({ model: "a/m", messages })) chunks.push(chunk);
      const { extra_fields } = await engine.chat({ model: "a/m", messages });
      expect(extra_fields?.warnings).toEqual(["unpriced: no price of a/m is known"]);
      expect(chunks.flatMap((chunk) => chunk.extra_fields?.warnings ?? [])).toEqual(extra_fields?.warnings);
    },
  );
  it("a failure before the first content falls back like a whole answer's", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "break", text: "x", after: 0 }], "b/m": [answer("from b")] });
    expect(await textOf(await engine.streamChat({ model: "a/m", fallbacks: ["b/m"], messages }))).toBe("from b");
  });
  it.each(["break", "truncate"] as const)("a %s after the first content is an error, never an end", async (kind) => {
    const engine = scriptedEngine({ "a/m": [{ kind, text: "to be or not", after: 2 }] });
    const stream = await engine.streamChat({ model: "a/m", messages });
    await expect(textOf(stream)).rejects.toMatchObject({
      code: "upstream_stream_broken",
      provider: "a",
      eventId: "evt_0",
    });
  });
  it("a stream that stalls ends after the gap", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "silence", text: "to be", after: 1 }] });
    const before = engine.clock.now();
    await expect(textOf(await engine.streamChat({ model: "a/m", messages }))).rejects.toMatchObject({
      code: "upstream_timeout",
    });
    expect(engine.clock.now() - before).toBe(30_000);
  });
  it("a reader that takes its time is not a provider that stalls", async () => {
    const { engine, clock } = engineOver(wordByWord("one two three"));
    let text = "";
    for await (const chunk of await engine.streamChat({ model: "a/m", messages })) {
      text += chunk.choices[0]?.delta.content ?? "";
      await clock.advance(45_000);
    }
    expect(text).toBe("one two three");
  });
  it("a stream nobody reads is ended by the deadline, settled once, and never looks complete later", async () => {
    const { engine, clock } = engineOver(wordByWord("one two three"));
    const settled = record(engine, "settled");
    const stream = await engine.streamChat({ model: "a/m", messages });
    await clock.advance(600_000);
    expect(settled).toMatchObject([{ status: 504, reason: "upstream_timeout" }]);
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
    await expect(textOf(stream)).rejects.toMatchObject({ code: "upstream_timeout" });
    expect(settled).toHaveLength(1);
  });
  it("a reader that stops early ends the provider's work and settles once", async () => {
    const ended: string[] = [];
    const { engine, clock } = engineOver(wordByWord("one two three", () => void ended.push("ended")));
    const settled = record(engine, "settled");
    for await (const _chunk of await engine.streamChat({ model: "a/m", messages })) break;
    await clock.advance(0);
    expect(ended).toEqual(["ended"]);
    expect(settled).toMatchObject([{ status: 499, reason: "request_cancelled", target: "a/m" }]);
  });
  it("a stream returned before its first chunk was read is settled too", async () => {
    const { engine } = engineOver(wordByWord("one two"));
    const settled = record(engine, "settled");
    const stream = await engine.streamChat({ model: "a/m", messages });
    await stream[Symbol.asyncIterator]().return?.();
    expect(settled).toHaveLength(1);
  });
});

describe("cancellation", () => {
  /** A provider that never answers and, worse, does not listen to its signal. */
  const deaf: Provider = {
    name: "a",
    chat: () => new Promise(() => {}),
    streamChat: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
  };

  it.each(["chat", "streamChat"] as const)(
    "%s: the caller's signal ends the call even when the provider is deaf",
    async (verb) => {
      const { engine, clock } = engineOver([deaf]);
      const settled = record(engine, "settled");
      const controller = new AbortController();
      const pending = engine[verb]({ model: "a/m", fallbacks: ["a/n"], messages }, { signal: controller.signal });
      controller.abort();
      await expect(pending).rejects.toMatchObject({ code: "request_cancelled", status: 499 });
      expect(settled).toHaveLength(1);
      expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
    },
  );
  it("a signal that is aborted already asks nobody", async () => {
    const engine = scriptedEngine({ "a/m": [answer("x")] });
    const call = engine.chat({ model: "a/m", messages }, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: "request_cancelled" });
    expect(engine.calls).toEqual([]);
  });
  it("ends a back-off at once", async () => {
    const { engine, clock } = engineOver([
      { name: "a", chat: () => Promise.reject(new GatewayError("upstream_unreachable", "no")) },
    ]);
    const controller = new AbortController();
    const pending = engine.chat({ model: "a/m", messages }, { signal: controller.signal });
    await clock.advance(0);
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: "request_cancelled" });
    expect(clock.pending).toBe(0);
  });
  it("lets go of the caller's signal when the call is over", async () => {
    const engine = scriptedEngine({ "a/m": [answer("x")] });
    const { signal } = new AbortController();
    let listeners = 0;
    const watched = new Proxy(signal, {
      get(target, name) {
        if (name === "addEventListener") listeners++;
        if (name === "removeEventListener") listeners--;
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    await engine.chat({ model: "a/m", messages }, { signal: watched });
    expect(listeners).toBe(0);
  });
});

describe("deadlines", () => {
  const silent = (timeouts?: Provider["timeouts"]): Provider => ({
    name: "a",
    timeouts,
    async *streamChat() {
      await new Promise(() => {});
    },
  });
  const waitFor = async (provider: Provider, timeouts?: { firstContent: number }) => {
    const { engine, clock } = engineOver([provider], { timeouts: { firstContent: 5_000 } });
    const before = clock.now();
    let passed = 0;
    const call = engine.streamChat({ model: "a/m", messages }, { timeouts }).catch(() => {
      passed = clock.now() - before;
    });
    await settled();
    await clock.advance(60_000);
    await call;
    return passed;
  };
  it("are the engine's, the provider's in their place, and the call's before both", async () => {
    expect(await waitFor(silent())).toBe(5_000);
    expect(await waitFor(silent({ firstContent: 2_000 }))).toBe(2_000);
    expect(await waitFor(silent({ firstContent: 2_000 }), { firstContent: 700 })).toBe(700);
  });

  it("stay what they are where a field is there but undefined", async () => {
    const nothing = { firstContent: undefined } as never;
    expect(await waitFor(silent(nothing))).toBe(5_000);
    expect(await waitFor(silent({ firstContent: 2_000 }), nothing)).toBe(2_000);
    expect(await waitFor(silent(), nothing)).toBe(5_000);
  });

  it("are a key's in place of the provider's and the engine's, and a call's before those", async () => {
    const store = memoryStore();
    const own = { firstContent: 2_000, connect: 1_000 };
    let tellAsked = () => {};
    async function* streamChat(): AsyncGenerator<never> {
      tellAsked();
      await new Promise(() => {});
    }
    const { engine, clock } = engineOver([{ ...silent(own), streamChat }], {
      store,
      timeouts: { firstContent: 5_000 },
    });
    const provider_configs = [{ provider: "*", weight: 1, allowed_models: ["*"] }] as never;
    const patient = await engine.keys.create({ name: "patient", provider_configs, timeouts: { first_content: 9_000 } });
    const hasty = await engine.keys.create({ name: "hasty", provider_configs, timeouts: { whole: 300 } });
    const waitWith = async (key: string, timeouts?: { firstContent: number }) => {
      const before = clock.now();
      let passed = 0;
      const asked = new Promise<void>((resolve) => {
        tellAsked = resolve;
      });
      const call = engine.streamChat({ model: "a/m", messages }, { key, timeouts }).catch((error: GatewayError) => {
        expect(error.code).toBe("upstream_timeout");
        passed = clock.now() - before;
      });
      await asked;
      await clock.advance(60_000);
      await call;
      return passed;
    };
    expect(await waitWith(patient.value)).toBe(9_000);
    expect(await waitWith(patient.value, { firstContent: 700 })).toBe(700);
    expect(await waitWith(hasty.value)).toBe(300);
    await engine.keys.update(hasty.key.id, { timeouts: null });
    expect(await waitWith(hasty.value)).toBe(2_000);
    await engine.close();
  });
});
