import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../../adapters/caches/memory.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { inputsOf } from "../../../../../src/engine/dialects/embedding-inputs.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { engineOver, record, settled } from "../../../support/support.ts";

/** A vendor that notes the texts of each request; its vectors have as many numbers as it says. */
function vendor(name: string) {
  const asked: unknown[] = [];
  const state = { length: 2, fails: false, refusesEmpty: false };
  const provider: Provider = {
    name,
    async embed({ input }, { model }) {
      asked.push(input);
      if (state.fails) throw new GatewayError("upstream_timeout", "away");
      const texts = inputsOf({ input });
      const empty = texts.indexOf("");
      if (state.refusesEmpty && empty !== -1)
        throw new GatewayError("invalid_request", `\`input.${empty}\`: is empty.`, { param: `input.${empty}` });
      const embedding = (text: unknown) => Array.from({ length: state.length }, () => String(text).length);
      const data = texts.map((text, index) => ({ object: "embedding", index, embedding: embedding(text) }));
      const tokens = texts.length * 10;
      const usage = { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
      return { object: "list", model, data, usage };
    },
  };
  return { provider, asked, state };
}

function world() {
  const [a, b] = [vendor("a"), vendor("b")];
  const options = { store: memoryStore(), cache: { answers: memoryCache() } };
  const { engine, clock } = engineOver([a.provider, b.provider], options);
  return { a, b, engine, clock };
}

describe("a request of which some texts are cached", () => {
  it("asks for the others, each once, and is a call with a saving", async () => {
    const { engine, a } = world();
    await engine.embed({ model: "a/m", input: "x" });
    const { data, usage, extra_fields } = await engine.embed({ model: "a/m", input: ["yy", "x", "yy", "zzz"] });
    expect(a.asked).toEqual(["x", ["yy", "zzz"]]);
    expect(data.map(({ embedding }) => embedding[0])).toEqual([2, 1, 2, 3]);
    expect(usage).toMatchObject({ prompt_tokens: 30 });
    expect(extra_fields?.cache_debug).toMatchObject({ cache_hit: false, cached_inputs: 1 });
    const [entry] = (await engine.usage.entries({ limit: 1 })).entries;
    expect(entry).toMatchObject({ cache: undefined, saved_prompt_tokens: 10, attempts: [{ prompt_tokens: 20 }] });
    expect(entry?.saved_nano).toBeGreaterThan(0);
  });

  it("reserves what is asked: a limit of tokens that the whole would pass lets it through", async () => {
    const { engine } = world();
    const long = "word ".repeat(100);
    const provider_configs = [{ provider: "*", allowed_models: ["*"] }];
    const rate_limits = [{ token_max_limit: 600, token_reset_duration: "1h" as const }];
    const { value: key } = await engine.keys.create({ name: "small", provider_configs, rate_limits });
    await engine.embed({ model: "a/m", input: long }, { key });
    const { extra_fields } = await engine.embed({ model: "a/m", input: [long, "x"] }, { key });
    expect(extra_fields?.cache_debug?.cached_inputs).toBe(1);
    const two = engine.embed({ model: "a/m", input: [`${long}!`, `${long}?`] }, { key });
    await expect(two).rejects.toMatchObject({ code: "token_limited" });
  });

  it("names the place of the caller's text in an error about it", async () => {
    const { engine, a } = world();
    await engine.embed({ model: "a/m", input: ["x", "yy"] });
    a.state.refusesEmpty = true;
    const failing = engine.embed({ model: "a/m", input: ["x", "yy", ""] });
    await expect(failing).rejects.toMatchObject({ code: "invalid_request", param: "input.2" });
  });

  it("never mixes vectors of several models", async () => {
    const { engine, a, b } = world();
    await engine.embed({ model: "a/m", input: "x" });
    a.state.fails = true;
    const both = { model: "a/m", fallbacks: ["b/n"], allow_other_model: true, input: ["x", "yy"] };
    await engine.embed(both);
    expect(b.asked).toEqual([["x", "yy"]]);
  });

  it("does not mix vectors of several lengths either, and asks for all the next time", async () => {
    const { engine, a } = world();
    await engine.embed({ model: "a/m", input: "x" });
    a.state.length = 3;
    const mixed = engine.embed({ model: "a/m", input: ["x", "yy"] });
    await expect(mixed).rejects.toMatchObject({ code: "upstream_invalid_response" });
    const { data } = await engine.embed({ model: "a/m", input: ["x", "yy"] });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([3, 3]);
  });
});

it("the vectors of a fallback are stored under the fallback", async () => {
  const { engine, a, b } = world();
  a.state.fails = true;
  const input = ["x", "yy"];
  await engine.embed({ model: "a/m", fallbacks: ["b/m"], input });
  a.state.fails = false;
  await engine.embed({ model: "a/m", input });
  await engine.embed({ model: "b/m", input: ["yy", "x"] });
  expect([a.asked.at(-1), b.asked]).toEqual([input, [input]]);
});

it("texts whose vectors depend on the others are cached as one request", async () => {
  const { engine, a } = world();
  const ask = (input: string[]) => engine.embed({ model: "a/m", input, extra: { late_chunking: true } });
  await ask(["x", "yy"]);
  expect((await ask(["x", "yy"])).extra_fields?.cache_debug?.cache_hit).toBe(true);
  await ask(["x"]);
  expect(a.asked).toEqual([["x", "yy"], ["x"]]);
});

it("only one text has a name to delete it by; a scope is cleared of all", async () => {
  const { engine, a } = world();
  const one = await engine.embed({ model: "a/m", input: ["x"] });
  const id = one.extra_fields?.cache_debug?.cache_id ?? "";
  expect(await engine.cache.delete(id)).toBe(true);
  const { extra_fields } = await engine.embed({ model: "a/m", input: ["x", "yy"] });
  expect(extra_fields?.cache_debug?.cache_id).toBeUndefined();
  expect(await engine.cache.clear("trusted")).toBe(2);
  expect(a.asked).toEqual([["x"], ["x", "yy"]]);
});

it("those who ask the same meanwhile wait for one answer", async () => {
  const { engine, a } = world();
  const events = record(engine, "cache");
  await engine.embed({ model: "a/m", input: "x" });
  const ask = () => engine.embed({ model: "a/m", input: ["x", "yy"] });
  const answers = await Promise.all([ask(), ask(), ask()]);
  await settled();
  expect(a.asked).toHaveLength(2);
  expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
  expect(events.filter(({ result }) => result === "joined")).toHaveLength(2);
});

it("a cache that fails is no reason to fail: all texts are asked for", async () => {
  const { provider, asked } = vendor("a");
  const broken = () => Promise.reject(new Error("away"));
  const answers = { get: broken, put: broken, delete: broken, clear: broken };
  const { engine } = engineOver([provider], { cache: { answers } });
  const { data } = await engine.embed({ model: "a/m", input: ["x", "yy", "x"] });
  expect(data.map(({ embedding }) => embedding[0])).toEqual([1, 2, 1]);
  expect(asked).toEqual([["x", "yy"]]);
});
