import { expect, it, vi } from "vitest";
import { memoryCounters } from "../../../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { fakeClock, scriptedEngine } from "../../../../../src/testing/index.ts";
import { anAttempt, anEntryOf } from "../../../../adapters/support/entries.ts";

it("what a key spent before it was deleted is still in the budgets above it after a death", async () => {
  const store = memoryStore();
  const first = scriptedEngine({ "a/m": [] }, { store });
  const budgets = [{ max_limit: 5, reset_duration: "1d" as const, calendar_aligned: true }];
  const customer = await first.customers.create({ name: "c", budgets });
  const project = await first.projects.create({ name: "p", customer_id: customer.id, budgets });
  const at = fakeClock().now();
  const owners = { project_id: project.id, customer_id: customer.id };
  const entries = [anEntryOf({ at, key_id: "vk_deleted", ...owners, attempts: [anAttempt({ at, cost: 7_000 })] })];
  const ledger = { ...store.ledger, recover: () => ({ counterValues: [], entries }) };
  const next = scriptedEngine({ "a/m": [] }, { store: { ...store, ledger } });
  expect(await next.usage.limits(project.id, "project")).toMatchObject([{ used: 0.000_007, used_nano: 7_000 }]);
  expect(await next.usage.limits(customer.id, "customer")).toMatchObject([{ used: 0.000_007, used_nano: 7_000 }]);
});

it("what a key spent before it was moved is charged to whom it belonged to then, after a death", async () => {
  const store = memoryStore();
  const first = scriptedEngine({ "a/m": [] }, { store });
  const budgets = [{ max_limit: 5, reset_duration: "1d" as const, calendar_aligned: true }];
  const [seller, buyer] = await Promise.all(["s", "b"].map((name) => first.customers.create({ name, budgets })));
  const owned = { name: "p", customer_id: seller?.id, budgets };
  const [sold, old, next] = await Promise.all([1, 2, 3].map(() => first.projects.create(owned)));
  const key = { name: "k", budgets, provider_configs: [{ provider: "*", allowed_models: ["*"] }] };
  const moved = await first.keys.create({ ...key, project_id: old?.id });
  const stayed = await first.keys.create({ ...key, project_id: sold?.id });
  await first.keys.update(moved.key.id, { project_id: next?.id });
  await first.projects.update(String(sold?.id), { customer_id: buyer?.id });
  const at = fakeClock().now();
  const spent = (cost: number, key_id: string, project_id = "") =>
    anEntryOf({ at, key_id, project_id, customer_id: seller?.id, attempts: [anAttempt({ at, cost })] });
  const entries = [spent(7_000, moved.key.id, old?.id), spent(100, stayed.key.id, sold?.id)];
  const ledger = { ...store.ledger, recover: () => ({ counterValues: [], entries }) };
  const again = scriptedEngine({ "a/m": [] }, { store: { ...store, ledger } });
  const usedBy = async (id = "", kind: "project" | "customer" = "project") =>
    (await again.usage.limits(id, kind)).map(({ used_nano }) => used_nano);
  expect(await Promise.all([usedBy(old?.id), usedBy(next?.id), usedBy(sold?.id)])).toEqual([[7_000], [0], [100]]);
  expect(await Promise.all([usedBy(seller?.id, "customer"), usedBy(buyer?.id, "customer")])).toEqual([[7_100], [0]]);
  expect(await again.usage.limits(moved.key.id)).toMatchObject([
    { level: "key", used_nano: 7_000 },
    { level: "project", used_nano: 0 },
    { level: "customer", used_nano: 7_100 },
  ]);
});

it("a store or counters that do not answer are told after ten seconds, and asked again by who needs them a second later", async () => {
  const store = memoryStore();
  const never = () => new Promise<never>(() => {});
  const recover = vi.fn<typeof store.ledger.recover>(never);
  const restore = vi.fn(never);
  const ledger = { ...store.ledger, recover };
  const counters = { ...memoryCounters(), restore };
  const engine = scriptedEngine({ "a/m": [] }, { store: { ...store, ledger }, counters });
  const told = (whose: string) => ({
    code: "store_unavailable",
    message: `The ${whose} did not answer within 10000 ms.`,
  });
  const since = engine.clock.now();
  await expect(engine.ready()).rejects.toMatchObject(told("store"));
  expect(engine.clock.now()).toBe(since + 10_000);
  await expect(engine.ready()).rejects.toMatchObject(told("store"));
  expect(recover).toHaveBeenCalledOnce();
  recover.mockReturnValue({ counterValues: [], entries: [] });
  await engine.clock.advance(1_000);
  await expect(engine.ready()).rejects.toMatchObject(told("counters"));
  restore.mockResolvedValue(undefined as never);
  await engine.clock.advance(1_000);
  await engine.ready();
  expect([recover.mock.calls.length, restore.mock.calls.length]).toEqual([3, 2]);
});

it("a store of an earlier version may take minutes to be brought up to date: nothing is read before, and the start waits", async () => {
  const store = memoryStore();
  const done: string[] = [];
  let finish = () => {};
  const prepare = () =>
    new Promise<void>((resolve) => {
      finish = resolve;
    });
  const recover: typeof store.ledger.recover = (...asked) => {
    done.push("read");
    return store.ledger.recover(...asked);
  };
  const ledger = { ...store.ledger, recover };
  const engine = scriptedEngine({ "a/m": [] }, { store: { ...store, ledger, prepare } });
  const ready = engine.ready();
  await engine.clock.advance(90_000);
  expect(done).toEqual([]);
  finish();
  await ready;
  expect(done).toEqual(["read"]);
});
