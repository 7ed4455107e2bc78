import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import { sqliteStore } from "../../../../adapters/stores/sqlite/index.ts";
import { fromDollars } from "../../../../src/engine/metering/money.ts";
import { findPercent, raise } from "../../../../src/engine/metering/uplift.ts";
import type { LedgerAttempt, LedgerEntry } from "../../../../src/engine/ports/ledger.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { callerAt, openOffice } from "../../../portal/support/areas/ai/office.ts";
import { noon } from "../../../portal/support/rig.ts";

const anyPercent = fc.integer({ min: 0, max: 4_000_000 }).map((parts) => parts / 10_000);
const anyAttempt = fc.record({
  provider: fc.constantFrom("one", "two"),
  model: fc.constantFrom("large", "small"),
  cost: fc.oneof(fc.nat(2_000), fc.nat(1_000_000_000_000)),
  prompt_tokens: fc.nat(5_000),
  completion_tokens: fc.nat(5_000),
});
const anyEntry = fc.record({
  key: fc.nat(2),
  hour: fc.integer({ min: -20 * 24, max: 9 * 24 }),
  attempts: fc.array(anyAttempt, { maxLength: 3 }),
});
type Entry = typeof anyEntry extends fc.Arbitrary<infer E> ? E : never;

function toAttempt({ provider, model, cost, ...tokens }: Entry["attempts"][number], at: number): LedgerAttempt {
  const counts = { cached_read_tokens: 0, cached_write_tokens: 0, reasoning_tokens: 0, latency: 1, status: 200 };
  const items = [{ unit: "request", quantity: 1, rate: cost * 1_000, amount: cost, basis: "test" }];
  return {
    ...counts,
    ...tokens,
    at,
    provider,
    model: `${provider}/${model}`,
    reason: "ok",
    cost,
    items,
    is_estimated: false,
    is_unpriced: false,
  };
}

const opened: readonly [string, () => Promise<Store> | Store][] = [
  ["memory", () => memoryStore()],
  ["sqlite", () => sqliteStore(":memory:")],
];

describe.each(opened)("costs by the ledger: %s", (_name, open) => {
  it("prices of models add up to the key's, those of keys to the project's, to the nano-dollar; costs are the ledger's", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyEntry, { maxLength: 20 }), anyPercent, anyPercent, async (entries, one, general) => {
        const store = await open();
        const uplifts = [{ provider: "one", percent: one }, { percent: general }];
        const office = await openOffice(store, { tiers: { t: { llms: ["*"] } }, uplift: { acme: uplifts } });
        const { ai } = office.portal.as(callerAt({ reseller: "acme" }));
        const [project] = await ai.createProject({ name: "p", description: "", tier: "t" });
        const project_id = project?.id ?? "";
        const draft = { name: "k", description: "", tier: "t", user_bound: false, project_id };
        const keys = [await ai.createKey(draft), await ai.createKey({ ...draft, name: "l" })];
        keys.push(await ai.createKey({ ...draft, name: "m" }));
        await store.ledger.append(
          entries.map(({ key, hour, attempts }, n): LedgerEntry => {
            const at = noon + hour * 3_600_000;
            return {
              ...{
                id: `e${n}`,
                at,
                request_type: "chat_completion",
                model_requested: "m",
                key_id: keys[key]?.id,
                project_id,
              },
              ...{
                status: 200,
                reason: "ok",
                latency: 1,
                saved: 0,
                saved_prompt_tokens: 0,
                saved_completion_tokens: 0,
              },
              attempts: attempts.map((attempt) => toAttempt(attempt, at)),
            };
          }),
        );
        const inMonth = entries.filter(({ hour }) => noon + hour * 3_600_000 >= Date.UTC(2026, 10));
        const total = await ai.projectCost({ ai_project_id: project_id });
        let sum = 0;
        for (const [n, { id }] of keys.entries()) {
          const cost = await ai.keyCost({ key_id: id });
          const usage = Object.values(cost.usage) as { cost: number; price: number }[];
          const items = usage.reduce((all, { price }) => all + fromDollars(price), 0);
          expect(fromDollars(cost.price)).toBe(items);
          sum += items;
          const own = inMonth.filter(({ key }) => key === n).flatMap(({ attempts }) => attempts);
          expect(usage.reduce((all, model) => all + fromDollars(model.cost), 0)).toBe(
            own.reduce((all, { cost }) => all + cost, 0),
          );
          expect(items).toBe(priceOf(own, uplifts));
          expect(cost.tokens).toBe(own.reduce((all, used) => all + used.prompt_tokens + used.completion_tokens, 0));
        }
        expect(fromDollars(total.price)).toBe(sum);
        await office.engine.close();
      }),
      { numRuns: 30 },
    );
  });
});

/** The price that is expected, reckoned from the attempts alone. */
function priceOf(attempts: Entry["attempts"], uplifts: Parameters<typeof findPercent>[0]): number {
  const costs = new Map<string, { provider: string; cost: number }>();
  for (const { provider, model, cost } of attempts) {
    const name = `${provider}/${model}`;
    costs.set(name, { provider, cost: (costs.get(name)?.cost ?? 0) + cost });
  }
  return [...costs.values()].reduce((sum, { provider, cost }) => sum + raise(cost, findPercent(uplifts, provider)), 0);
}

describe("an uplift", () => {
  it("is the exact product, rounded half up", () => {
    const anyCost = fc.integer({ min: 0, max: 2 ** 46 });
    fc.assert(
      fc.property(anyCost, fc.integer({ min: 0, max: 1_000_000 }), (cost, parts) => {
        const raised = BigInt(raise(cost, parts / 10_000));
        const exact = BigInt(cost) * (1_000_000n + BigInt(parts));
        return raised * 1_000_000n - exact <= 500_000n && exact - raised * 1_000_000n < 500_000n;
      }),
    );
  });

  it("of nothing is nothing, and of zero percent leaves the cost", () => {
    fc.assert(fc.property(fc.nat(), anyPercent, (cost, percent) => raise(cost, 0) === cost && raise(0, percent) === 0));
  });
});
