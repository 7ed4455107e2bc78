import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../../../../src/index.ts";
import { scriptedEngine } from "../../../../../src/testing/index.ts";
import { answer, engineOver, messages, record } from "../../../support/support.ts";

const script = { "a/m": [answer("a")], "b/m": [answer("b")], "c/m": [answer("c")] };
const allowAll = (...weights: [provider: string, weight: number][]) =>
  weights.map(([provider, weight]) => ({ provider, weight, allowed_models: ["*"] }));

/** By weight alone, the providers would come as they are listed. */
const drawsFirst = () => 0;

async function withKey(
  options: Partial<EngineOptions>,
  provider_configs = allowAll(["a", 1], ["b", 1], ["c", 1]),
  budget?: number,
) {
  const engine = scriptedEngine(script, { store: memoryStore(), ...options });
  const budgets = budget === undefined ? [] : [{ max_limit: budget, reset_duration: "1d" as const }];
  const { key, value } = await engine.keys.create({ name: "k", provider_configs, budgets });
  return { engine, key: value, keyId: key.id };
}

describe("a model without a provider", () => {
  it("goes to one of the key's providers by weight, the others are fallbacks; weight 0 is the last resort", async () => {
    const { engine, key } = await withKey({ random: () => 0.99 }, allowAll(["a", 0], ["b", 1], ["c", 9]));
    const { targets } = await engine.planFor(key, { model: "m" });
    expect(targets.map(({ name }) => name)).toEqual(["c/m", "b/m", "a/m"]);
    expect((await engine.chat({ model: "m", messages }, { key })).extra_fields?.provider).toBe("c");
  });
  it("is refused for a key whose providers do not have it", async () => {
    const { engine, key } = await withKey({}, [{ provider: "a", weight: 1, allowed_models: ["other"] }]);
    await expect(engine.chat({ model: "m", messages }, { key })).rejects.toMatchObject({
      code: "invalid_model",
      status: 400,
      param: "model",
    });
  });
  it.each(["", " ", " m", "m "])("is no model when it is %j, and nobody is asked", async (model) => {
    const { engine, key } = await withKey({});
    await expect(engine.chat({ model, messages }, { key })).rejects.toMatchObject({
      code: "invalid_model",
      param: "model",
      attempts: [],
    });
  });
  it("is no model at all for the trusted caller", async () => {
    const { engine } = await withKey({});
    await expect(engine.chat({ model: "m", messages })).rejects.toMatchObject({ code: "invalid_model" });
  });
  it("goes to the cheapest when the order is by price", async () => {
    const cost: Record<string, number> = { a: 3, b: 1, c: 2 };
    const prices = {
      version: "t",
      find: (provider: string, model: string) => ({
        provider,
        model,
        rates: { input_cost_per_token: cost[provider] ?? 9, output_cost_per_token: 0 },
      }),
      list: () => [],
    };
    const { engine, key } = await withKey({ order: "price", prices, random: drawsFirst });
    expect((await engine.planFor(key, { model: "m" })).targets.map(({ provider }) => provider)).toEqual([
      "b",
      "c",
      "a",
    ]);
  });
  it("goes to the fastest, once it was measured, when the order is by latency", async () => {
    const slow = (name: string, ms: number): Provider => ({
      name,
      chat: (_request, call) =>
        new Promise((resolve) =>
          clock.after(ms, () =>
            resolve({ id: call.id, object: "chat.completion", created: 1, model: "m", choices: [] }),
          ),
        ),
    });
    const options = { order: "latency", store: memoryStore(), random: drawsFirst } as const;
    const { engine, clock } = engineOver([slow("a", 900), slow("b", 100)], options);
    const { value: key } = await engine.keys.create({ name: "k", provider_configs: allowAll(["a", 1], ["b", 1]) });
    for (const model of ["a/m", "b/m"]) {
      const call = engine.chat({ model, messages }, { key });
      await clock.advance(0); // the key is looked up
      await clock.advance(1_000);
      await call;
    }
    expect((await engine.planFor(key, { model: "m" })).targets.map(({ provider }) => provider)).toEqual(["b", "a"]);
  });
});

describe("rules", () => {
  const rules: EngineOptions["rules"] = [
    { name: "poor", when: { budgetLeft: { below: 0.5 } }, use: { model: "c/m" } },
    { name: "eu", when: { metadata: { region: "eu" } }, use: { exclude: ["a"], fallbacks: ["b/m"] } },
  ];
  it("the first that matches acts, and the plan tells which and why", async () => {
    const { engine } = await withKey({ rules });
    const plan = engine.plan({ model: "a/m", metadata: { region: "eu" } });
    expect(plan).toMatchObject({
      rule: "eu",
      targets: [{ name: "b/m" }],
      skipped: [{ entry: "a/m", reason: "provider_blocked" }],
    });
    expect(plan.rules?.map(({ rule, isMatch }) => [rule, isMatch])).toEqual([
      ["poor", false],
      ["eu", true],
    ]);
    expect((await engine.chat({ model: "a/m", messages, metadata: { region: "eu" } })).extra_fields?.provider).toBe(
      "b",
    );
  });
  it("what is left of the budget decides, by function and in the plan", async () => {
    const rich = await withKey({ rules }, undefined, 1);
    expect((await rich.engine.chat({ model: "a/m", messages }, { key: rich.key })).extra_fields?.provider).toBe("a");
    const poor = await withKey({ rules }, undefined, 0.4);
    expect((await poor.engine.chat({ model: "a/m", messages }, { key: poor.key })).extra_fields?.provider).toBe("c");
    expect(await poor.engine.planFor(poor.key, { model: "a/m" })).toMatchObject({ rule: "poor" });
  });
  it("the event of the plan names the rule", async () => {
    const { engine } = await withKey({ rules });
    const planned = record(engine, "planned");
    await engine.chat({ model: "a/m", messages, metadata: { region: "eu" } });
    expect(planned).toMatchObject([{ rule: "eu", targets: ["b/m"] }]);
  });
});

it("metadata that is a text has no fields that a rule could ask for", async () => {
  const embed: Provider["embed"] = async () => ({ object: "list", model: "m", data: [] });
  const rules = [{ name: "r", when: { metadata: { length: "2" } }, use: { model: "b/m" } }];
  const { engine } = engineOver(
    ["a", "b"].map((name) => ({ name, embed })),
    { rules },
  );
  const request = { model: "a/m", input: "x", metadata: "ab" };
  expect((await engine.embed(request)).extra_fields?.provider).toBe("a");
});
