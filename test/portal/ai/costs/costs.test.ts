import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { createEngine } from "../../../../src/index.ts";
import { createPortal } from "../../../../src/portal/index.ts";
import { callerAt, client, type Office, officePrices, openOffice, tiers } from "../../support/areas/ai/office.ts";
import { noon, stores } from "../../support/rig.ts";

let keys = 0;
const draft = { name: "k", description: "", tier: "full", user_bound: false };
const day = 86_400_000;

async function keyOf(office: Office, place = {}, parts: { tier?: string; project_id?: string } = {}) {
  return office.at(place).createKey({ ...draft, name: `k${++keys}`, ...parts });
}

describe.each(stores)("what keys and projects have cost: %s", (_name, open) => {
  it("counts [start, end), the current calendar month unless said otherwise", async () => {
    const office = await openOffice(await open());
    const { id, value } = await keyOf(office);
    await office.chat(value);
    await office.clock.advance(11 * day); // 1 December
    await office.chat(value);
    const cost = (asked: object) => office.at({}).keyCost({ key_id: id, ...asked });
    const second = new Date(noon + 11 * day).toISOString();
    expect(await cost({})).toMatchObject({ from: "2026-12-01T00:00:00.000Z", to: "2027-01-01T00:00:00.000Z" });
    expect((await cost({})).tokens).toBe(1_500);
    expect((await cost({ start: "2026-11-01T00:00:00Z" })).tokens).toBe(3_000);
    expect((await cost({ start: "2026-11-01T00:00:00Z", end: second })).tokens).toBe(1_500);
    expect((await cost({ start: second })).tokens).toBe(1_500);
    expect((await office.at({}).keys({ start: "2026-11-01T00:00:00Z", end: second }))[0]?.tokens_usage).toMatchObject({
      requests: 1,
    });
  });

  it.each([
    [{ start: "2026-11-20T00:00:00Z", end: "2026-11-20T00:00:00Z" }, "end"],
    [{ start: "2026-12-24T00:00:00Z" }, "start"],
    [{ end: "2026-10-31T00:00:00Z" }, "end"],
  ])("a period without time is refused: %j", async (asked, param) => {
    const office = await openOffice(await open());
    const { id } = await keyOf(office);
    const refused = office.at({}).keyCost({ key_id: id, ...asked });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", param });
  });

  it("adds the reseller's uplift, the provider's own before the general one; the provider's tenants have none", async () => {
    const office = await openOffice(await open());
    const cases = [
      [client, "one/small", 0.00225],
      [client, "two/large", 0.00206],
      [{ reseller: "other" }, "one/small", 0.002],
      [{}, "one/small", 0.002],
    ] as const;
    for (const [place, model, price] of cases) {
      const { id, value } = await keyOf(office, place);
      await office.chat(value, model);
      const cost = await office.at(place).keyCost({ key_id: id });
      expect(cost).toMatchObject({ price, key_price: 0, usage: { [model]: { cost: 0.002, price } } });
    }
  });

  it("names the tier's fixed price beside it, and counts models without a price by their tokens", async () => {
    const office = await openOffice(await open());
    const { id, value } = await keyOf(office, {}, { tier: "basic" });
    await office.chat(value);
    expect(await office.at({}).keyCost({ key_id: id })).toMatchObject({ key_price: 5, price: 0.002 });
    const free = await keyOf(office);
    await office.chat(free.value, "two/free");
    expect(await office.at({}).keyCost({ key_id: free.id })).toMatchObject({ price: 0, tokens: 1_500 });
  });

  it("of a project stays when its keys are gone, and leaves out what they cost elsewhere", async () => {
    const office = await openOffice(await open());
    const [project] = await office.at({}).createProject({ name: "p", description: "", tier: "full" });
    const project_id = project?.id ?? "";
    const { id, value } = await keyOf(office);
    await office.chat(value);
    await office.at({}).assignKey({ key_id: id, project_id });
    await office.chat(value);
    expect((await office.at({}).keyCost({ key_id: id })).price).toBe(0.004);
    await office.at({}).deleteKey({ key_id: id });
    const cost = await office.at({}).projectCost({ ai_project_id: project_id });
    expect(cost.price).toBe(0.002);
    expect(cost).not.toHaveProperty("key_price");
  });

  it("refused requests cost nothing and are no model's", async () => {
    const office = await openOffice(await open());
    const { id, value } = await keyOf(office, {}, { tier: "basic" });
    expect(await office.chat(value, "two/large")).toBe("provider_blocked");
    expect(await office.at({}).keyCost({ key_id: id })).toMatchObject({ price: 0, tokens: 0, usage: {} });
  });
});

describe("what models cost and who may ask them", () => {
  const open = async () => openOffice(await sqliteStore(":memory:"));

  it("rates come from the prices of the engine, all or one; an unknown one is not there", async () => {
    const ai = (await open()).at(client);
    const rates = { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_002 };
    expect(await ai.rates({})).toEqual({ "one/large": rates, "one/small": rates, "two/large": rates });
    expect(await ai.rates({ model: "one/small" })).toEqual(rates);
    await expect(ai.rates({ model: "two/free" })).rejects.toMatchObject({ code: "not_found", param: "model" });
    await expect(ai.rates({ model: "small" })).rejects.toMatchObject({ code: "invalid_request", param: "model" });
  });

  it("the rates of the built-in catalogue all have the portal's form", async () => {
    const store = await sqliteStore(":memory:");
    const engine = createEngine({
      providers: [{ name: "openai", chat: () => Promise.reject(new Error("unused")) }],
      store,
    });
    const ai = createPortal({ engine, store, regions: { "eu-1": {} } }).as(callerAt({})).ai;
    const rates = (await ai.rates({})) as Record<string, Record<string, number>>;
    expect(Object.keys(rates).length).toBeGreaterThan(500);
    expect(
      Object.values(rates)
        .flatMap((one) => Object.values(one))
        .every((rate) => typeof rate === "number"),
    ).toBe(true);
    expect(rates["openai/gpt-4o"]?.input_cost_per_token).toBeGreaterThan(0);
    expect((await ai.models({ providers: ["openai"] })).llms).toContainEqual(
      expect.objectContaining({ id: "openai/gpt-4o", mode: "chat", available: true }),
    );
    await engine.close();
  });

  it("models are those of the caller's tiers; `list_all` shows the others, too, `all_available` says that there are others", async () => {
    const store = await sqliteStore(":memory:");
    const office = await openOffice(store, { tiers: { basic: tiers.basic, acme: tiers.acme } });
    const idsOf = async (place: object, input: object = {}) => {
      const { all_available, llms } = await office.at(place).models(input);
      return [
        all_available,
        (llms as { id: string; available: boolean }[]).map(({ id, available }) => [id, available]),
      ];
    };
    const all = [
      ["one/large", true],
      ["one/small", true],
      ["two/free", false],
      ["two/large", true],
    ];
    expect(await idsOf({})).toEqual([false, all.filter(([, available]) => available)]);
    expect(await idsOf(client, { list_all: true })).toEqual([false, all]);
    expect(await idsOf({ reseller: "other" })).toEqual([false, all.slice(0, 2)]);
    expect(await idsOf({}, { providers: ["one"] })).toEqual([true, all.slice(0, 2)]);
    const [project] = await office.at({}).createProject({ name: "p", description: "", tier: "acme" });
    expect(await idsOf({}, { project: project?.id })).toEqual([false, [["two/large", true]]]);
    await expect(office.at({}).models({ project: "prj_none" })).rejects.toMatchObject({ param: "project" });
    await expect(office.at({}).models({ providers: ["one", "none"] })).rejects.toMatchObject({ param: "providers.1" });
    expect(await office.at({ reseller: "other" }).providers({})).toEqual({
      all_available: false,
      providers: [{ name: "one", verbs: ["chat"], models: 2 }],
    });
    expect(await office.at(client).providers({})).toMatchObject({
      all_available: true,
      providers: [{}, { models: 1 }],
    });
  });

  it("a provider that the catalogue does not know lists its models itself; one that cannot has none", async () => {
    const store = await sqliteStore(":memory:");
    const chat = () => Promise.reject(new Error("unused"));
    const providers = [
      { name: "home", chat, listModels: async () => [{ id: "mine" }] },
      { name: "down", chat, listModels: () => Promise.reject(new Error("down")) },
    ];
    const engine = createEngine({ providers, store, prices: officePrices(), requireKey: true });
    const ai = createPortal({ engine, store, regions: { "eu-1": {} } }).as(callerAt({})).ai;
    expect((await ai.models({})).llms).toEqual([{ id: "home/mine", provider: "home", model: "mine", available: true }]);
    expect((await ai.providers({})).providers).toMatchObject([
      { name: "home", models: 1 },
      { name: "down", models: 0 },
    ]);
    expect(engine.inFlight).toBe(0);
    await engine.close();
  });
});

describe("tiers and uplifts of the options", () => {
  it.each([
    [{ tiers: { t: {} } }, "tiers.t.llms"],
    [{ tiers: { t: { llms: ["**"] } } }, "tiers.t.llms.0"],
    [
      { tiers: { t: { llms: ["*"], budgets: [{ max_limit: -1, reset_duration: "1M" }] } } },
      "tiers.t.budgets.0.max_limit",
    ],
    [{ tiers: { t: { llms: ["*"], price: 1 } } }, "tiers.t.price"],
    [{ uplift: { acme: [{ percent: -1 }] } }, "uplift.acme.0.percent"],
  ])("what is wrong is named: %j", async (options, param) => {
    const store = await sqliteStore(":memory:");
    const opened = openOffice(store, options as never);
    await expect(opened).rejects.toMatchObject({ code: "invalid_configuration", param });
    await store.close();
  });
});
