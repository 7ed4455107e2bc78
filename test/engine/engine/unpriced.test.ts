import { describe, expect, it } from "vitest";
import type { Rates } from "../../../src/engine/api/rates.ts";
import { governed, pricesOf, tokens, vendor } from "../support/money/world.ts";

const rates: Rates = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
const prices = pricesOf({ "a/known": rates, "a/sized": undefined, "a/gemini-3-x": rates, "a/gemini-2.5-x": rates });
const searching = { web_search_options: {}, max_completion_tokens: 10 };

describe("a model without a price", () => {
  it.each([
    { model: "a/sized", enforcement: "hard" as const, unpriced: undefined, outcome: "model_blocked" },
    { model: "a/new", enforcement: "hard" as const, unpriced: undefined, outcome: "model_blocked" },
    { model: "a/new", enforcement: "hard" as const, unpriced: "deny" as const, outcome: "model_blocked" },
    { model: "a/new", enforcement: "hard" as const, unpriced: rates, outcome: "model_blocked" },
    { model: "a/new", enforcement: "hard" as const, unpriced: "allow" as const, outcome: "served" },
    { model: "a/new", enforcement: "soft" as const, unpriced: undefined, outcome: "served" },
    { model: "a/new", enforcement: "soft" as const, unpriced: rates, outcome: "served" },
    { model: "a/new", enforcement: "soft" as const, unpriced: "deny" as const, outcome: "model_blocked" },
  ])("$model under a $enforcement budget with unpriced $unpriced: $outcome", async (row) => {
    const { outcome } = await governed(vendor(), [{ dollars: 1, enforcement: row.enforcement }], {
      prices,
      unpriced: row.unpriced,
    });
    expect(await outcome(row.model)).toBe(row.outcome);
  });

  it.each(["soft", "hard"] as const)(
    "is served by no exhausted %s budget, also where unpriced is allowed",
    async (enforcement) => {
      const provider = vendor({ usage: tokens(1_000, 1_000) });
      const { ask, outcome } = await governed(provider, [{ dollars: 0.003, enforcement }], {
        prices,
        unpriced: "allow",
      });
      const limit = { max_completion_tokens: 1_000 };
      if (enforcement === "soft") await ask("a/known", limit);
      else expect(await outcome("a/known", { max_completion_tokens: 1_500 })).toBe("budget_exceeded");
      const nothingLeft = await governed(provider, [{ dollars: 0, enforcement }], { prices, unpriced: "allow" });
      expect(await nothingLeft.outcome("a/new")).toBe("budget_exceeded");
      if (enforcement === "soft") expect(await outcome("a/new")).toBe("budget_exceeded");
    },
  );

  it("is counted at the rates of `unpriced` under a soft budget, and told", async () => {
    const world = await governed(vendor({ usage: tokens(1_000, 1_000) }), [{ dollars: 1 }], {
      prices,
      unpriced: rates,
    });
    const { usage, extra_fields } = await world.ask("a/new");
    expect(usage?.cost?.total_cost).toBe(0.003);
    expect(extra_fields?.warnings).toEqual(["unpriced: input_tokens, output_tokens of a/new have no price"]);
    expect(await world.used()).toEqual([3_000_000]);
    const [line] = await world.lines();
    expect(line).toMatchObject({ cost_nano: 3_000_000, is_unpriced: true });
    expect(line?.items.map(({ basis }) => basis)).toEqual([
      "unpriced: input_cost_per_token",
      "unpriced: output_cost_per_token",
    ]);
  });

  it("is counted as nothing where no budget is on the way", async () => {
    const { ask } = await governed(vendor(), [], { prices, unpriced: rates });
    expect((await ask("a/new")).usage?.cost).toBeUndefined();
  });
});

describe("a fee or a tier without a rate", () => {
  it.each([
    { title: "a search without a fee", more: searching, outcome: "model_blocked" },
    { title: "no search", more: { max_completion_tokens: 10 }, outcome: "served" },
    {
      title: "a tier without a rate",
      more: { service_tier: "flex", max_completion_tokens: 10 },
      outcome: "model_blocked",
    },
    {
      title: "a tier of the vendor's own",
      more: { service_tier: "turbo", max_completion_tokens: 10 },
      outcome: "model_blocked",
    },
    { title: "the standard tier", more: { service_tier: "default", max_completion_tokens: 10 }, outcome: "served" },
  ])("$title under a hard budget: $outcome", async ({ more, outcome }) => {
    const { outcome: asked } = await governed(vendor(), [{ dollars: 1, enforcement: "hard" }], { prices });
    expect(await asked("a/known", more)).toBe(outcome);
  });

  it("of Gemini 3 is refused although a search has a fee: nothing bounds their number", async () => {
    const fee = { ...rates, search_context_cost_per_query: 0.014 };
    const known = pricesOf({ "a/gemini-3-x": fee, "a/gemini-2.5-x": fee });
    const { outcome } = await governed(vendor(), [{ dollars: 10, enforcement: "hard" }], { prices: known });
    expect(await outcome("a/gemini-3-x", searching)).toBe("model_blocked");
    expect(await outcome("a/gemini-2.5-x", searching)).toBe("served");
  });

  it("of Gemini 2.5 is billed by the prompt, of Gemini 3 by the search", async () => {
    const fee = { ...rates, search_context_cost_per_query: 0.01 };
    const known = pricesOf({ "a/gemini-3-x": fee, "a/gemini-2.5-x": fee });
    const usage = tokens(0, 0, { completion_tokens_details: { num_search_queries: 4 } });
    const { ask } = await governed(vendor({ usage }), [], { prices: known });
    expect((await ask("a/gemini-2.5-x", searching)).usage?.cost?.total_cost).toBe(0.01);
    expect((await ask("a/gemini-3-x", searching)).usage?.cost?.total_cost).toBe(0.04);
  });

  it("that was served is told as unpriced, and never the standard price in silence", async () => {
    const { ask, lines } = await governed(vendor({ service_tier: "flex" }), [], { prices });
    const { extra_fields } = await ask("a/known");
    expect(extra_fields?.warnings).toEqual(["unpriced: service_tier of a/known have no price"]);
    expect(await lines()).toMatchObject([{ is_unpriced: true, cost_nano: 30_000 }]);
  });
});

describe("a limit that a target does not keep to", () => {
  it("holds the model's longest answer once it was broken, and from the start where the provider says so", async () => {
    const budget = [{ dollars: 0.005, enforcement: "hard" as const }];
    const limit = { max_completion_tokens: 10 };
    const long = await governed(vendor({ usage: tokens(10, 20) }), budget, { prices });
    expect([await long.outcome("a/known", limit), await long.outcome("a/known", limit)]).toEqual([
      "served",
      "budget_exceeded",
    ]);
    const told = await governed(vendor({ billing: { ignoresOutputLimit: true } }), budget, { prices });
    expect(await told.outcome("a/known", limit)).toBe("budget_exceeded");
    const kept = await governed(vendor({ usage: tokens(10, 10) }), budget, { prices });
    expect([await kept.outcome("a/known", limit), await kept.outcome("a/known", limit)]).toEqual(["served", "served"]);
  });
});
