import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import type { Budget, RateLimit } from "../../../../src/engine/api/governance.ts";
import { createCounterSource } from "../../../../src/engine/pipeline/admin/counter-source.ts";
import { identifyByName } from "../../../../src/engine/routing/model-identity.ts";
import { fakeClock } from "../../../../src/testing/index.ts";
import { pricesOf, vendor } from "../../support/money/world.ts";
import { engineOver } from "../../support/support.ts";

const rates = { input_cost_per_token: 1e-6, output_cost_per_token: 1e-6 };
const prices = pricesOf({ "a/m": rates, "a/big": rates, "b/m": rates });
/** Every call takes 20 tokens and costs 0.00002 dollars. */
const cost = 20_000;

type Draft = Partial<Budget> & { readonly calls: number };

interface World {
  readonly budgets?: readonly Draft[];
  readonly rate_limits?: readonly RateLimit[];
  readonly store?: ReturnType<typeof memoryStore>;
  readonly clock?: ReturnType<typeof fakeClock>;
}

/** A key whose budgets are stated in calls. */
async function keyWith({ budgets = [], rate_limits = [], store = memoryStore(), clock }: World) {
  const { engine, clock: time } = engineOver([vendor(), vendor({ name: "b" })], {
    store,
    prices,
    ...(clock ? { clock } : {}),
  });
  const draft = ({ calls, ...more }: Draft) => ({
    max_limit: (calls * cost) / 1e9,
    reset_duration: "1d" as const,
    enforcement: "hard" as const,
    ...more,
  });
  const { key, value } = await engine.keys.create({
    name: "k",
    budgets: budgets.map(draft),
    rate_limits: [...rate_limits],
    provider_configs: [{ provider: "*", allowed_models: ["*"] }],
  });
  const ask = (model: string, user?: string) =>
    engine
      .chat(
        {
          model,
          messages: [{ role: "user", content: "0123456789" }],
          max_completion_tokens: 10,
          ...(user === undefined ? {} : { user }),
        },
        { key: value },
      )
      .then(
        () => "served",
        (error: { code: string }) => error.code,
      );
  /** How many of so many calls at once are served. */
  const burst = async (calls: number, model: string, user?: string) =>
    (await Promise.all(Array.from({ length: calls }, () => ask(model, user)))).filter((each) => each === "served")
      .length;
  return { engine, clock: time, key, value, ask, burst, draft, store };
}

describe("a budget for some models", () => {
  it("is spent by these models only, whatever they are called, and never passed by calls at once", async () => {
    const { burst, ask, engine, key } = await keyWith({ budgets: [{ calls: 6, models: ["a/big", "b/*"] }] });
    const served = await Promise.all([burst(10, "a/big"), burst(10, "b/m"), burst(10, "a/m")]);
    expect(served[2]).toBe(10);
    const [limit] = await engine.usage.limits(key.id);
    expect((served[0] ?? 0) + (served[1] ?? 0)).toBeGreaterThan(0);
    expect(limit).toMatchObject({
      used_nano: ((served[0] ?? 0) + (served[1] ?? 0)) * cost,
      models: ["a/big", "b/*"],
      reserved: 0,
    });
    expect(limit?.used).toBeLessThanOrEqual(limit?.max ?? 0);
    expect([await ask("a/m"), limit && "isMeant" in limit]).toEqual(["served", false]);
  });

  it("names the models when it refuses", async () => {
    const { engine, value } = await keyWith({ budgets: [{ calls: 0, models: ["a/big"] }] });
    const request = { model: "a/big", messages: [{ role: "user" as const, content: "x" }] };
    await expect(engine.chat(request, { key: value })).rejects.toMatchObject({
      code: "budget_exceeded",
      message: expect.stringContaining("The budget of the key for a/big (0 USD per 1d)"),
    });
  });
});

describe("a limit for each end user", () => {
  const each = { request_max_limit: 3, request_reset_duration: "1d" as const, user: "*" };

  it("counts each alone, and calls without a user as one user", async () => {
    const { burst, engine, key } = await keyWith({ rate_limits: [each] });
    expect(await Promise.all([burst(9, "a/m", "ann"), burst(9, "a/m", "bob"), burst(9, "a/m")])).toEqual([3, 3, 3]);
    const usedBy = async (user?: string) => (await engine.usage.limits(key.id, "key", user))[0];
    expect(await usedBy("ann")).toMatchObject({ user: "ann", used: 3, is_used_up: true });
    expect(await usedBy()).toMatchObject({ user: "", used: 3 });
    expect(await usedBy("eve")).toMatchObject({ used: 0 });
    expect(await engine.usage.limited([{ key }])).toEqual(new Set());
  });

  it("gives way to one that names the user; both count the other users not", async () => {
    const named = { request_max_limit: 5, request_reset_duration: "1d" as const, user: "ann/1" };
    const { burst } = await keyWith({ rate_limits: [each, named] });
    expect(await Promise.all([burst(9, "a/m", "ann/1"), burst(9, "a/m", "bob")])).toEqual([5, 3]);
  });

  it("holds beside the limits of all, and for some models", async () => {
    const { burst } = await keyWith({
      budgets: [{ calls: 100, enforcement: "soft" }],
      rate_limits: [{ ...each, models: ["a/big"] }],
    });
    expect(await burst(9, "a/big", "ann")).toBe(3);
    expect(await burst(9, "a/m", "ann")).toBe(9);
  });
});

describe("a prepaid budget", () => {
  it("never resets, and tells of no time at which it would", async () => {
    const { ask, clock, engine, key, value } = await keyWith({ budgets: [{ calls: 10, reset_duration: "never" }] });
    const served = async () => (await ask("a/m")) === "served";
    let calls = 0;
    while (await served()) calls += 1;
    expect(calls).toBeGreaterThan(0);
    await clock.advance(400 * 86_400_000);
    expect(await ask("a/m")).toBe("budget_exceeded");
    expect((await engine.usage.limits(key.id))[0]).toMatchObject({ used_nano: calls * cost, resets_at: undefined });
    const request = { model: "a/m", messages: [{ role: "user" as const, content: "x" }] };
    await expect(engine.chat(request, { key: value })).rejects.toMatchObject({
      message: expect.stringMatching(/\(0\.0002 USD in all\) has [\d.]+ USD left;/),
    });
  });
});

describe("a limit that was reset by hand", () => {
  it("counts from then on, also after a restart and by the ledger, and keeps the reason", async () => {
    const store = memoryStore();
    const { engine, key, ask, clock, draft } = await keyWith({ budgets: [{ calls: 10 }], store });
    while ((await ask("a/m")) === "served");
    await clock.advance(1_000);
    const reset_at = new Date(clock.now()).toISOString();
    await engine.keys.update(key.id, { budgets: [{ ...draft({ calls: 10 }), reset_at, reset_reason: "a test run" }] });
    expect(await ask("a/m")).toBe("served");
    expect((await engine.keys.get(key.id)).budgets[0]?.reset_reason).toBe("a test run");
    const [limit] = await engine.usage.limits(key.id);
    expect(limit).toMatchObject({ used_nano: cost, since: clock.now() });
    const opens = { start: clock.now(), end: clock.now() + 86_400_000 };
    const counter = `key/${key.id}/cost/1d/since:${clock.now()}`;
    const [value] = await createCounterSource(store.ledger, identifyByName).valuesOf([{ counter, opens }]);
    expect(value?.used).toBe(cost);
  });
});

it("limits of models and users are the same after the process died, and by the ledger", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-scoped-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = () => sqliteStore(join(folder, "t.db"));
  const clock = fakeClock();
  const rate_limits = [{ token_max_limit: 1_000_000, token_reset_duration: "1M" as const, user: "*", models: ["a/*"] }];
  const budgets = [{ calls: 100, reset_duration: "never" as const, models: ["a/big"] }];
  const first = await keyWith({ budgets, rate_limits, store: open(), clock });
  await Promise.all([
    first.burst(3, "a/big", "ann"),
    first.burst(4, "a/m", "ann"),
    first.burst(5, "b/m", "ann"),
    first.burst(2, "a/m"),
  ]);
  const usedIn = async ({ usage }: typeof first.engine) =>
    (await Promise.all(["ann", ""].map((user) => usage.limits(first.key.id, "key", user)))).map((limits) =>
      limits.map(({ used, used_nano }) => used_nano ?? used),
    );
  const expected = [
    [140, 3 * cost],
    [40, 3 * cost],
  ];
  expect(await usedIn(first.engine)).toEqual(expected);
  const source = createCounterSource(first.store.ledger, identifyByName);
  const opens = { start: clock.now(), end: clock.now() + 31 * 86_400_000 };
  const names = [
    `key/${first.key.id}/tokens/1M/models:a%2F*/user:ann`,
    `key/${first.key.id}/tokens/1M/models:a%2F*/user:`,
    `key/${first.key.id}/cost/never/models:a%2Fbig`,
  ];
  expect((await source.valuesOf(names.map((counter) => ({ counter, opens })))).map(({ used }) => used)).toEqual([
    140,
    40,
    3 * cost,
  ]);
  await first.engine.close();
  const again = engineOver([vendor()], { store: open(), prices, clock });
  expect(await usedIn(again.engine)).toEqual(expected);
  await again.engine.close();
});
