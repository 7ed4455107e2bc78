import { describe, expect, it } from "vitest";
import { memoryCounters } from "../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { type Script, scriptedEngine } from "../../../src/testing/index.ts";
import { answer, engineOver, messages, record, settled, textOf } from "../support/support.ts";

const ask = { model: "a/m", fallbacks: ["b/m"], messages };
const hedge = { after_ms: 200 };
const provider_configs = ["a", "b"].map((provider) => ({ provider, allowed_models: ["*"] }));

/** Two providers who answer in the same moment: when `open` is called. */
function tied() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ended: string[] = [];
  const script: Script = { "a/m": [answer("to be")], "b/m": [answer("to be")] };
  const scripted = scriptedEngine(script);
  const providers = ["a", "b"].map((name): Provider => {
    const model = `${name}/m`;
    return {
      name,
      async chat({ messages: asked }) {
        await gate;
        const { extra_fields: _extra, ...whole } = await scripted.chat({ model, messages: asked });
        return whole;
      },
      async *streamChat({ messages: asked }) {
        try {
          await gate;
          for await (const { extra_fields: _extra, ...chunk } of await scripted.streamChat({ model, messages: asked }))
            yield chunk;
        } finally {
          ended.push(name);
        }
      },
    };
  });
  return { providers, open: () => open(), ended };
}

describe("two that answer in the same moment", () => {
  it.each(["chat", "streamChat"] as const)("%s: one is given, the other ended and paid", async (verb) => {
    const { providers, open, ended } = tied();
    const { engine, clock } = engineOver(providers, { hedge, store: memoryStore() });
    const { key, value } = await engine.keys.create({ name: "k", budgets, provider_configs });
    const call = engine[verb](ask, { key: value });
    await clock.advance(0); // the key is known
    await clock.advance(200);
    open();
    const result = await call;
    const told = "choices" in result ? result.choices[0]?.message.content : await textOf(result);
    await clock.advance(0);
    expect(told).toBe("to be");
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
    if (verb === "streamChat") expect(ended.toSorted()).toEqual(["a", "b"]);
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries[0]?.attempts.map(({ provider }) => provider).toSorted()).toEqual(["a", "b"]);
    for (const attempt of entries[0]?.attempts ?? []) expect(attempt.prompt_tokens).toBeGreaterThan(0);
    expect((await engine.usage.limits(key.id))[0]?.reserved).toBe(0);
  });
});

const budgets = [{ max_limit: 9, reset_duration: "1d" as const, enforcement: "hard" as const }];

describe("whoever has not begun when another one answers", () => {
  it("is not asked, nor billed: it waited for its reservation", async () => {
    const counters = memoryCounters();
    let reserve = () => {};
    const waiting = new Promise<void>((resolve) => {
      reserve = resolve;
    });
    let asked = 0;
    const slow: typeof counters = {
      ...counters,
      reserve: async (...question) => {
        if (++asked > 1) await waiting;
        return counters.reserve(...question);
      },
    };
    const { providers, open } = tied();
    const seen: string[] = [];
    const watched = providers.map((provider): Provider => {
      const chat: Provider["chat"] = (...given) => {
        seen.push(provider.name);
        return (provider as Required<Provider>).chat(...given);
      };
      return { ...provider, chat };
    });
    const { engine, clock } = engineOver(watched, { hedge, store: memoryStore(), counters: slow });
    const { value } = await engine.keys.create({ name: "k", budgets, provider_configs });
    const call = engine.chat(ask, { key: value });
    await clock.advance(0); // the key is known
    await clock.advance(200);
    open();
    await clock.advance(0);
    reserve();
    await call;
    expect(seen).toEqual(["a"]);
    const { entries } = await engine.usage.entries({ limit: 10 });
    expect(entries[0]?.attempts.find(({ provider }) => provider === "b")).toMatchObject({ prompt_tokens: 0, cost: 0 });
  });
});

describe("a failure that no other candidate can mend", () => {
  it("keeps those from being asked that nobody has asked yet", async () => {
    const refused = { status: 400, code: "content_filter", message: "no" };
    const asked: string[] = [];
    const failing = (name: string, ms: number, error: GatewayError): Provider => ({
      name,
      async chat() {
        asked.push(name);
        await new Promise<void>((resolve) => void engine.clock.after(ms, resolve));
        throw error;
      },
    });
    const providers = [
      failing("a", 300, new GatewayError("upstream_error", "no", { upstream: refused })),
      failing("b", 300, new GatewayError("upstream_invalid_response", "no")),
      failing("c", 1, new GatewayError("upstream_invalid_response", "no")),
    ];
    const { engine, clock } = engineOver(providers);
    const moves = record(engine, "fell_back");
    const call = engine.chat({ ...ask, fallbacks: ["b/m", "c/m"] }, { hedge }).catch((thrown) => thrown);
    await settled();
    await clock.advance(1_000);
    expect(await call).toMatchObject({ upstream: refused });
    expect([asked, moves]).toEqual([["a", "b"], []]);
  });
});
