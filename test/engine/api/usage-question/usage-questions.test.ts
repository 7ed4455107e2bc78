import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { scriptedEngine } from "../../../../src/testing/index.ts";
import { answer, messages } from "../../support/support.ts";

const stores = [
  ["memory", () => memoryStore()],
  ["sqlite", () => sqliteStore(":memory:")],
] as const;

const engineWith = (open: (typeof stores)[number][1]) => scriptedEngine({ "a/m": [answer("hi")] }, { store: open() });
const always = { from: 0, to: Infinity };

describe.each(stores)("questions to the ledger (%s)", (_name, open) => {
  it.each([
    ["query", undefined, undefined],
    ["query", {}, "from"],
    ["query", { from: Number.NaN, to: 1 }, "from"],
    ["query", { from: "2026-01-01", to: 1 }, "from"],
    ["query", { from: 5, to: 1 }, "to"],
    ["query", { ...always, group_by: "day" }, "group_by"],
    ["query", { ...always, group_by: ["weekday"] }, "group_by.weekday"],
    ["query", { ...always, filters: { nope: "x" } }, "filters.nope"],
    ["query", { ...always, filters: { status: "200" } }, "filters.status"],
    ["query", { ...always, filters: { user: 7 } }, "filters.user"],
    ["query", { ...always, until: 1 }, "until"],
    ["entries", {}, "limit"],
    ["entries", { limit: 0 }, "limit"],
    ["entries", { limit: -1 }, "limit"],
    ["entries", { limit: 1.5 }, "limit"],
    ["entries", { limit: 1_001 }, "limit"],
    ["entries", { limit: "5" }, "limit"],
    ["entries", { limit: 5, from: "a" }, "from"],
    ["entries", { limit: 5, after: "zz" }, "after"],
    ["prune", {}, "before"],
    ["prune", { before: Number.NaN }, "before"],
  ] as const)("that are none are refused, naming the field: %s %j", async (name, question, param) => {
    const engine = engineWith(open);
    await engine.chat({ model: "a/m", messages });
    const ask = engine.usage[name] as (question: unknown) => Promise<unknown>;
    await expect(ask(question)).rejects.toMatchObject({ code: "invalid_request", param });
    expect((await engine.usage.entries({ limit: 10 })).entries).toHaveLength(1);
  });

  it.each([0, -1, 1.5, 1_001, Number.NaN])("lists of records have 1 to 1,000 on a page, not %d", async (limit) => {
    const engine = engineWith(open);
    await expect(engine.keys.list({ limit })).rejects.toMatchObject({ code: "invalid_request", param: "limit" });
  });

  it("tell how the limits of a project and a customer stand, also when no key is left", async () => {
    const engine = engineWith(open);
    const budget = { max_limit: 5, reset_duration: "1d" as const };
    const customer = await engine.customers.create({ name: "c", budgets: [budget] });
    const project = await engine.projects.create({ name: "p", customer_id: customer.id, budgets: [budget] });
    expect(await engine.usage.limits(project.id, "project")).toMatchObject([
      { level: "project", used: 0, left: 5, left_nano: 5e9 },
    ]);
    const provider_configs = [{ provider: "a", allowed_models: ["*"] }];
    const { key, value } = await engine.keys.create({ name: "k", project_id: project.id, provider_configs });
    await engine.chat({ model: "a/m", messages }, { key: value });
    const [{ used } = { used: 0 }] = await engine.usage.limits(key.id);
    await engine.keys.remove(key.id);
    expect(used).toBeGreaterThan(0);
    expect(await engine.usage.limits(project.id, "project")).toMatchObject([{ level: "project", used }]);
    expect(await engine.usage.limits(customer.id, "customer")).toMatchObject([{ level: "customer", used }]);
    await expect(engine.usage.limits(project.id, "customer")).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the dates of a key", () => {
  const dates = { starts_at: "2026-12-01T00:00:00Z", expires_at: "2026-11-30T23:00:00Z" };
  const refused = { code: "invalid_request", param: "expires_at" };

  it("end after they begin", async () => {
    const engine = engineWith(() => memoryStore());
    await expect(engine.keys.create({ name: "k", ...dates })).rejects.toMatchObject(refused);
    const { starts_at } = dates;
    await expect(engine.keys.create({ name: "k", starts_at, expires_at: starts_at })).rejects.toMatchObject(refused);
  });

  it("also when one of them is changed, against the one that stays", async () => {
    const engine = engineWith(() => memoryStore());
    const { key } = await engine.keys.create({ name: "k", starts_at: dates.starts_at });
    const { expires_at } = dates;
    await expect(engine.keys.update(key.id, { expires_at })).rejects.toMatchObject(refused);
    expect(await engine.keys.update(key.id, { starts_at: null, expires_at })).toMatchObject({ expires_at });
  });
});
