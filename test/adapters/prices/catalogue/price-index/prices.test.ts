import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../../adapters/prices/catalogue/index.ts";
import { Rates } from "../../../../../src/engine/api/rates.ts";
import { priceSheet } from "../../../../../src/engine/metering/rates.ts";
import type { Prices } from "../../../../../src/engine/ports/prices.ts";
import { unbilledNames } from "../../../support/unbilled-names.ts";

/** Everything that gives prices; a new one is one line here. */
const adapters: Readonly<Record<string, () => Prices>> = {
  catalogue: () => catalogue(),
  "catalogue with overrides": () =>
    catalogue({
      overrides: {
        "openai/gpt-4o": { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 },
        "acme/one": [{ input_cost_per_token: 1e-6 }, { input_cost_per_token: 2e-6, effective_from: "2026-12-01" }],
      },
      like: { "my-openai": "openai" },
    }),
};

const times = ["2025-01-01", "2026-11-20", "2027-06-01"].map((day) => Date.parse(day));

describe.each(Object.entries(adapters))("%s", (_, make) => {
  const prices = make();

  it("names its data, and always the same data by the same name", () => {
    expect(prices.version).not.toBe("");
    expect(make().version).toBe(prices.version);
  });

  it.each(times)("finds what it lists, as the same object, at %d", (at) => {
    for (const facts of prices.list(at)) expect(prices.find(facts.provider, facts.model, at)).toBe(facts);
  });

  it("lists every model once, and a provider's models as they are among all", () => {
    const all = prices.list(times[1]!);
    expect(new Set(all.map(({ provider, model }) => `${provider}/${model}`)).size).toBe(all.length);
    for (const provider of new Set(all.map((facts) => facts.provider)))
      expect(prices.list(times[1]!, provider)).toEqual(all.filter((facts) => facts.provider === provider));
  });

  it("answers an unknown model with nothing", () => {
    expect(prices.find("openai", "no-such-model", times[1]!)).toBeUndefined();
    expect(prices.find("no-such-provider", "gpt-4o", times[1]!)).toBeUndefined();
    expect(prices.list(times[1]!, "no-such-provider")).toEqual([]);
  });

  it("gives facts that are frozen", () => {
    for (const facts of prices.list(times[1]!)) {
      expect(Object.isFrozen(facts)).toBe(true);
      if (facts.rates) expect(Object.isFrozen(facts.rates)).toBe(true);
    }
  });

  it.each(times)("gives rates that are prices, in names that bills know, at %d", (at) => {
    for (const { rates } of prices.list(at)) {
      if (!rates) continue;
      expect(Object.keys(rates).length).toBeGreaterThan(0);
      Rates.parse(rates);
      expect(unbilledNames(rates)).toEqual([]);
    }
  });

  it("gives rates from which every sheet can be made", () => {
    const services = [undefined, "priority", "flex", "batch"];
    for (const { rates = {} } of prices.list(times[1]!))
      for (const prompt of [1, 250_000, 1_000_000]) for (const service of services) priceSheet(rates, prompt, service);
  });

  it("gives sizes that fit together", () => {
    for (const { context_length, max_output_tokens, max_input_tokens } of prices.list(times[1]!)) {
      if (context_length === undefined) continue;
      expect(max_output_tokens ?? 0).toBeLessThanOrEqual(context_length);
      expect(max_input_tokens ?? 0).toBeLessThanOrEqual(context_length);
    }
  });
});
