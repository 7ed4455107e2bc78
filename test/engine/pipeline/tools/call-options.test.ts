import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { CallOptions } from "../../../../src/index.ts";
import { engineOver, messages, record } from "../../support/support.ts";

const provider = { name: "a", chat: () => Promise.reject(new Error("nobody is asked")) };
const request = { model: "a/m", messages };

describe("an option of a call that is not what it must be", () => {
  it.each([
    ["key", 5],
    ["key", null],
    ["eventId", 5],
    ["session", {}],
    ["signal", {}],
    ["signal", null],
    ["raw", "yes"],
    ["timeouts", "x"],
    ["timeouts", null],
    ["cache", true],
    ["recovery", "retry"],
    ["hedge", 200],
    ["onRates", {}],
    ["abortSignal", new AbortController().signal],
  ])("`%s`: %j is refused by its name, on every verb, and nothing stays under way", async (name, value) => {
    const { engine } = engineOver([provider]);
    const defects = record(engine, "defect");
    const options = { [name]: value } as CallOptions;
    for (const call of [
      () => engine.chat(request, options),
      () => engine.streamChat(request, options),
      () => engine.embed({ model: "a/m", input: "x" }, options),
      () => engine.countTokens(request, options),
      () => engine.models({}, options),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: "invalid_request", param: name });
    }
    expect([engine.inFlight, defects]).toEqual([0, []]);
  });

  it.each([
    [{ hedge: {} }, "hedge.after_ms"],
    [{ hedge: { after_ms: Number.NaN } }, "hedge.after_ms"],
    [{ hedge: { after_ms: "soon" } }, "hedge.after_ms"],
    [{ timeouts: { gap: 0 } }, "timeouts.gap"],
    [{ timeouts: { gap: "0s" } }, "timeouts.gap"],
    [{ timeouts: { total: 5 } }, "timeouts.total"],
  ])("%j is refused by the path of its duration", async (options, param) => {
    const { engine } = engineOver([provider]);
    const refused = { code: "invalid_request", param };
    await expect(engine.chat(request, options as never)).rejects.toMatchObject(refused);
    await expect(engine.embed({ model: "a/m", input: "x" }, options as never)).rejects.toMatchObject(refused);
    expect(engine.inFlight).toBe(0);
  });

  it.each([null, 5, "sk-tg-x"])("is refused as a whole where it is %j", async (options) => {
    const { engine } = engineOver([provider]);
    await expect(engine.chat(request, options as never)).rejects.toMatchObject({ param: "options" });
  });

  it("counts as absent where it is undefined", async () => {
    const { engine } = engineOver([provider]);
    const options = { key: undefined, signal: undefined, hedge: undefined };
    await expect(engine.chat(request, options)).rejects.toMatchObject({ code: "upstream_error" });
  });
});

describe("a route", () => {
  it.each([
    [null, undefined],
    [{}, "model"],
    [{ model: 5 }, "model"],
    [{ model: "a/m", fallbacks: "b/m" }, "fallbacks"],
    [{ model: "a/m", metadata: [] }, "metadata"],
  ])("is not planned for %j", async (asked, param) => {
    const { engine } = engineOver([provider]);
    const refusal = expect.objectContaining({ code: "invalid_request", param });
    expect(() => engine.plan(asked as never)).toThrow(refusal);
    await expect(engine.planFor("sk-tg-x", asked as never)).rejects.toEqual(refusal);
  });

  it.each([
    [null, "options"],
    [{ verb: "draw" }, "verb"],
    [{ method: "chat" }, "method"],
  ])("is not planned by %j", async (options, param) => {
    const { engine } = engineOver([provider]);
    const refusal = expect.objectContaining({ code: "invalid_request", param });
    expect(() => engine.plan({ model: "a/m" }, options as never)).toThrow(refusal);
    await expect(engine.planFor("sk-tg-x", { model: "a/m" }, options as never)).rejects.toEqual(refusal);
  });
});

it("a key that was lost on its way is nobody's, where the question is what a key may do", async () => {
  const { engine } = engineOver([provider], { store: memoryStore() });
  await expect(engine.planFor(undefined as never, { model: "a/m" })).rejects.toMatchObject({
    code: "virtual_key_not_found",
  });
  await expect(engine.cache.scopeOf(5 as never)).rejects.toMatchObject({ code: "invalid_request", param: "key" });
});

it("nothing is found by what is no name, and lists take no question as none", async () => {
  const { engine } = engineOver([provider], { store: memoryStore(), cache: { answers: memoryCache() } });
  expect(await engine.cache.delete(undefined as never)).toBe(false);
  expect(await engine.keys.list(null as never)).toEqual({ items: [], next: undefined });
});

it("an event that there is not has no listener, and neither has one that is no function", () => {
  const { engine } = engineOver([provider]);
  const on = engine.on as (name: unknown, listener: unknown) => void;
  expect(() => on("settld", () => {})).toThrow(/no event `settld`; there are planned, .*settled/);
  expect(() => on("toString", () => {})).toThrow(expect.objectContaining({ code: "invalid_request", param: "name" }));
  expect(() => on("settled", undefined)).toThrow(expect.objectContaining({ param: "listener" }));
});

it.each(["5s", -1, Number.NaN, null])(
  "an engine does not close with %j for its grace, and goes on",
  async (graceMs) => {
    const { engine } = engineOver([provider]);
    await expect(engine.close({ graceMs } as never)).rejects.toMatchObject({
      code: "invalid_request",
      param: "graceMs",
    });
    expect(engine.isDraining).toBe(false);
  },
);
