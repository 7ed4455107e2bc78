import { expect, it } from "vitest";
import { memoryStore } from "../../../adapters/stores/memory/index.ts";
import { fakeClock, scriptedEngine } from "../../../src/testing/index.ts";
import { anAttempt, anEntryOf } from "../stores/entries.ts";

it("what a key spent before it was deleted is still in the budgets above it after a death", async () => {
  const store = memoryStore();
  const first = scriptedEngine({ "a/m": [] }, { store });
  const budgets = [{ max_limit: 5, reset_duration: "1d" as const, calendar_aligned: true }];
  const customer = await first.customers.create({ name: "c", budgets });
  const project = await first.projects.create({ name: "p", customer_id: customer.id, budgets });
  const at = fakeClock().now();
  const owners = { project_id: project.id, customer_id: customer.id };
  const entries = [anEntryOf({ at, key_id: "vk_deleted", ...owners, attempts: [anAttempt({ at, cost: 7_000 })] })];
  const ledger = { ...store.ledger, recover: () => ({ standings: [], entries }) };
  const next = scriptedEngine({ "a/m": [] }, { store: { ...store, ledger } });
  expect(await next.usage.standing(project.id, "project")).toMatchObject([{ used: 7_000 }]);
  expect(await next.usage.standing(customer.id, "customer")).toMatchObject([{ used: 7_000 }]);
});
