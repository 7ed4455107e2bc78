import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryCounters } from "../../../../adapters/counters/memory.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { DecisionRequest } from "../../../../src/engine/api/decisions.ts";
import type { CounterReservation, Counters } from "../../../../src/engine/ports/counters.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { atDepth } from "../../../tiers/depth.ts";
import { byToken, byTool, usageOf } from "../../support/judges.ts";
import { pricesOf } from "../../support/money/world.ts";
import { engineOver } from "../../support/support.ts";

/** Counters that note by how much a settlement exceeds what was reserved on the whole way of a call. */
function watchedCounters() {
  const inner = memoryCounters();
  const sums = { reserved: 0, real: 0, most: 0, limit: 0 };
  const reserved = new Map<string, number>();
  const noteReal = (held: CounterReservation, real: readonly number[]) => {
    sums.real += real[0] ?? 0;
    sums.reserved += reserved.get(held.id) ?? 0;
    reserved.delete(held.id);
  };
  const counters: Counters = {
    ...inner,
    reserve: (call) => {
      const outcome = inner.reserve(call) as CounterReservation;
      if (outcome.kind === "reserved") reserved.set(outcome.id, outcome.held[0]?.amount ?? 0);
      return outcome;
    },
    settle(held, real, now) {
      noteReal(held, real);
      return inner.settle(held, real, now);
    },
    release(held, now) {
      sums.reserved += reserved.get(held.id) ?? 0; // what an answer by tool may cost, given back with the charge of its target
      reserved.delete(held.id);
      return inner.release(held, now);
    },
  };
  return { counters, sums };
}

/** Bills as much as its request may use: a token for every byte of the prompt, and the longest answer. */
function greedy(provider: Provider): Provider {
  const { chat } = provider as Required<Provider>;
  return {
    ...provider,
    async chat(request, call) {
      const answer = await chat(request, call);
      const bytes = Buffer.byteLength(request.messages.map(({ content }) => content).join(""));
      return { ...answer, usage: usageOf(bytes, request.max_completion_tokens ?? 16) };
    },
  };
}

const rate = fc.integer({ min: 1, max: 1_000 }).map((micro) => micro / 1e6);
const belief = fc.double({ min: 0, max: 1, noNaN: true });
const world = fc.record({
  rates: fc.tuple(rate, rate, rate),
  beliefs: fc.tuple(belief, belief, belief),
  ways: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  budget: fc.oneof(fc.constant(1_000), fc.double({ min: 0.0001, max: 2, noNaN: true })),
  questions: fc.integer({ min: 1, max: 4 }),
  options: fc.record(
    {
      votes: fc.constantFrom(["b/m"], ["b/m", "c/m"]),
      escalate: fc.record(
        {
          model: fc.constantFrom("b/m", "c/m"),
          margin: fc.double({ min: 0, max: 1, noNaN: true }),
          max_share: fc.constant(1),
          max_cost: fc.double({ min: 0, max: 2, noNaN: true }),
          reasoning: fc.constant({ effort: "low" as const }),
        },
        { requiredKeys: ["model", "margin", "max_share"] },
      ),
      permutations: fc.integer({ min: 1, max: 6 }),
      prior: fc.boolean(),
      min_votes: fc.constant(1),
    },
    { requiredKeys: [] },
  ),
});

it("a decision of several models reserves no less than it is billed, and a hard budget holds, whatever votes and escalates", async () => {
  let served = 0;
  await fc.assert(
    fc.asyncProperty(world, async ({ rates, beliefs, ways, budget, questions: count, options }) => {
      const { counters, sums } = watchedCounters();
      const names = ["a", "b", "c"] as const;
      const providers = names.map((name, at) => {
        const sure = (_question: string, option: string) => {
          const yes = beliefs[at] as number;
          return option === "yes" ? yes : 1 - yes;
        };
        return greedy(ways[at] ? byToken(name, sure) : byTool(name, sure));
      });
      const price = (at: number) => ({ input_cost_per_token: rates[at], output_cost_per_token: rates[at] });
      const prices = pricesOf({ "a/m": price(0), "b/m": price(1), "c/m": price(2) });
      const store = memoryStore();
      const { engine } = engineOver(providers, { store, prices, counters, retry: { retries: 0 } });
      const { value, key } = await engine.keys.create({
        name: "k",
        provider_configs: [{ provider: "*", allowed_models: ["*"] }],
        budgets: [{ max_limit: budget, reset_duration: "1d", enforcement: "hard" }],
      });
      const { votes, min_votes, ...more } = options;
      const questions = Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`q${n}`, { kind: "noul" as const }]),
      );
      const voting = votes ? { votes, ...(min_votes ? { min_votes } : {}) } : {};
      const request = { model: "a/m", state: "s", questions, ...more, ...voting } as DecisionRequest;
      await engine.decide(request, { key: value }).then(
        () => served++,
        (error) => expect(error).toMatchObject({ code: "budget_exceeded" }),
      );
      const [limit] = await engine.usage.limits(key.id);
      const [entry] = (await store.ledger.entries({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1 })).entries;
      const billed = (entry?.attempts ?? []).reduce((sum, { cost }) => sum + (cost ?? 0), 0);
      expect(sums.reserved).toBeGreaterThanOrEqual(sums.real);
      expect(sums.real).toBe(billed);
      expect(limit?.reserved).toBe(0);
      expect(limit?.used).toBeLessThanOrEqual(budget * 1e9 + 1);
    }),
    { numRuns: 150 },
  );
  expect(served).toBeGreaterThan(atDepth(50));
});
