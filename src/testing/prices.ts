import type { ModelFacts, Prices } from "../engine/ports/prices.ts";

/** US dollars per token of every scripted model: one dollar a million read, two a million written. */
const rates = { input_cost_per_token: 0.000_001, output_cost_per_token: 0.000_002 };

/** A price list for scripts: every model costs the same and writes at most 4,096 tokens. */
export function scriptedPrices(): Prices {
  const known = new Map<string, ModelFacts>();
  return {
    version: "scripted",
    find(provider, model) {
      const name = `${provider}/${model}`;
      const facts = known.get(name) ?? Object.freeze({ provider, model, rates, max_output_tokens: 4_096 });
      known.set(name, facts);
      return facts;
    },
    list: (_at, provider) =>
      [...known.values()].filter((facts) => provider === undefined || facts.provider === provider),
  };
}
