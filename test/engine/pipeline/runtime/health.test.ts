import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Provider, Timeouts } from "../../../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../../../src/index.ts";
import { type Script, type ScriptStep, scriptedEngine } from "../../../../src/testing/index.ts";
import { answer, engineOver, messages, record, settled } from "../../support/support.ts";

const down: ScriptStep = { kind: "fail", status: 503 };
const ask = { model: "a/m", messages };
const noRetry = { retry: { retries: 0 } };

describe("circuits", () => {
  const failing = (times: number): Script => ({
    "a/m": [...Array<ScriptStep>(times).fill(down), answer("back")],
    "b/m": [answer("b")],
  });

  it("after five failures in a row nobody is asked; the error says when to come back", async () => {
    const engine = scriptedEngine(failing(99), noRetry);
    for (let n = 0; n < 5; n++) await engine.chat(ask).catch(() => {});
    const error = await engine.chat(ask).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "circuit_open", status: 503 });
    expect(error.retryAfterMs).toBeGreaterThan(0);
    expect(engine.calls).toHaveLength(5);
    expect(engine.health()).toMatchObject([{ target: "a/m", state: "open" }]);
  });
  it("an open circuit is passed over while another candidate is left", async () => {
    const engine = scriptedEngine(failing(99), noRetry);
    for (let n = 0; n < 5; n++) await engine.chat(ask).catch(() => {});
    const served = await engine.chat({ ...ask, fallbacks: ["b/m"] });
    expect(served.extra_fields?.provider).toBe("b");
    expect(engine.calls.filter((name) => name === "a/m")).toHaveLength(5);
  });
  it("after the cool-down one probe goes through, and its success closes the circuit", async () => {
    const engine = scriptedEngine(failing(5), noRetry);
    const changes = record(engine, "circuit");
    for (let n = 0; n < 5; n++) await engine.chat(ask).catch(() => {});
    await engine.clock.advance(10_000);
    expect((await engine.chat(ask)).choices[0]?.message.content).toBe("back");
    expect(changes).toEqual([
      { target: "a/m", state: "open" },
      { target: "a/m", state: "closed" },
    ]);
  });
  it("never lets two probes through at once", async () => {
    let inside = 0;
    let most = 0;
    let isDown = true;
    const provider: Provider = {
      name: "a",
      async chat(_request, call) {
        if (isDown) throw new TypeError("fetch failed");
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setImmediate(resolve));
        inside--;
        return { id: call.id, object: "chat.completion", created: 1, model: "m", choices: [] };
      },
    };
    const { engine, clock } = engineOver([{ ...provider, chat: failBy503(provider, () => isDown) }], noRetry);
    for (let n = 0; n < 5; n++) await engine.chat(ask).catch(() => {});
    isDown = false;
    await clock.advance(10_000);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => engine.chat(ask)));
    expect(most).toBe(1);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
  describe("of a target that stays silent", () => {
    const silence: Script = { "a/m": [{ kind: "silence" }], "b/m": [{ kind: "silence" }] };
    /** Asks five times, each until its deadline; gives the circuits that opened. */
    const openedBy = async (options: Partial<EngineOptions>, timeouts?: Partial<Timeouts>, more: object = {}) => {
      const engine = scriptedEngine(silence, { ...noRetry, ...options });
      for (let n = 0; n < 5; n++) {
        const call = engine.chat({ ...ask, ...more }, { timeouts }).catch(() => {});
        await settled();
        for (let second = 0; second < 130; second++) await engine.clock.advance(1_000);
        await call;
      }
      return engine.health().filter(({ state }) => state !== "closed");
    };

    it("opens when the engine's own time for the first content has passed", async () => {
      expect(await openedBy({})).toMatchObject([{ target: "a/m" }]);
    });
    it("opens when the engine's own time for the whole request has passed", async () => {
      expect(await openedBy({ timeouts: { whole: 2_000 } })).toMatchObject([{ target: "a/m" }]);
    });
    it.each([
      ["first content", { firstContent: 2_000 }],
      ["the whole request", { whole: 2_000 }],
      ["connecting", { connect: 2_000 }],
    ])("stays closed for others when the caller's own time for %s has passed", async (_what, timeouts) => {
      expect(await openedBy({}, timeouts)).toEqual([]);
    });
    it("opens when the caller is more patient than the engine", async () => {
      expect(await openedBy({}, { firstContent: 90_000 })).toMatchObject([{ target: "a/m" }]);
    });
    it("stays closed for a target that was left no more than the rest of another one's time", async () => {
      const opened = await openedBy({ timeouts: { whole: 61_000 } }, undefined, { fallbacks: ["b/m"] });
      expect(opened).toMatchObject([{ target: "a/m" }]);
    });
  });
  it("after any failures followed by health, traffic is back at the primary within its longest cool-down", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (isUp) => {
        const steps = isUp.map((up): ScriptStep => (up ? answer("x") : down));
        const engine = scriptedEngine({ "a/m": [...steps, answer("x")], "b/m": [answer("b")] }, noRetry);
        for (const _ of isUp) await engine.chat({ ...ask, fallbacks: ["b/m"] });
        while (engine.calls.filter((name) => name === "a/m").length < isUp.length) {
          await engine.clock.advance(60_000);
          await engine.chat({ ...ask, fallbacks: ["b/m"] });
        }
        await engine.clock.advance(60_000);
        expect((await engine.chat({ ...ask, fallbacks: ["b/m"] })).extra_fields?.provider).toBe("a");
      }),
    ));
});

function failBy503(provider: Provider, isDown: () => boolean): NonNullable<Provider["chat"]> {
  const scripted = scriptedEngine({ "a/m": [down] }, noRetry);
  return async (request, call) => {
    if (isDown()) await scripted.chat({ model: "a/m", messages });
    return (provider as Required<Provider>).chat(request, call);
  };
}

describe("hedging", () => {
  const hedge = { after_ms: 200 };
  it("asks the next candidate when the first is silent, and gives the first answer", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "silence" }], "b/m": [answer("b")] });
    const before = engine.clock.now();
    const served = await engine.chat({ ...ask, fallbacks: ["b/m"] }, { hedge });
    expect(served.extra_fields?.provider).toBe("b");
    expect(engine.clock.now() - before).toBe(200);
    expect([engine.inFlight, engine.clock.pending]).toEqual([0, 0]);
  });
  it("asks nobody else when the first answers in time", async () => {
    const engine = scriptedEngine({ "a/m": [answer("a")], "b/m": [answer("b")] });
    await engine.chat({ ...ask, fallbacks: ["b/m"] }, { hedge });
    expect(engine.calls).toEqual(["a/m"]);
  });
  it("streams the winner, cancels the loser and bills it for the prompt it read", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "silence" }], "b/m": [answer("to be")] }, { store: memoryStore() });
    for await (const _chunk of await engine.streamChat({ ...ask, fallbacks: ["b/m"] }, { hedge }));
    const { entries } = await engine.usage.entries({ limit: 1 });
    expect(entries[0]?.attempts).toMatchObject([
      { model: "a/m", reason: "request_cancelled", is_estimated: true, completion_tokens: 0 },
      { model: "b/m", reason: "ok" },
    ]);
    expect(entries[0]?.attempts[0]?.prompt_tokens).toBeGreaterThan(0);
  });
  it("both reservations hold until the race is over", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "silence" }], "b/m": [answer("b")] }, { store: memoryStore() });
    const budgets = [{ max_limit: 0.012, reset_duration: "1d" as const, enforcement: "hard" as const }];
    const provider_configs = ["a", "b"].map((provider) => ({ provider, allowed_models: ["*"] }));
    const { key, value } = await engine.keys.create({ name: "k", budgets, provider_configs });
    const call = engine.chat({ ...ask, fallbacks: ["b/m"] }, { hedge, key: value });
    await expect(call).rejects.toMatchObject({ code: "upstream_timeout" }); // one answer's worth fits, two do not
    expect(engine.calls).toEqual(["a/m"]);
    expect((await engine.usage.limits(key.id))[0]?.reserved).toBe(0);
  });
  it("fails with the first candidate's error when both fail", async () => {
    const engine = scriptedEngine({ "a/m": [{ kind: "silence" }], "b/m": [{ kind: "fail", status: 404 }] });
    await expect(engine.chat({ ...ask, fallbacks: ["b/m"] }, { hedge })).rejects.toMatchObject({
      code: "upstream_timeout",
    });
  });
});
