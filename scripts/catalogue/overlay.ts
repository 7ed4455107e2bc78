import type { Rates } from "../../src/engine/api/rates.ts";
import { additions, multiples, serviceTiers } from "./facts.ts";
import { type Period, type SourceModel, times } from "./model.ts";

const plainRates = ["input_cost_per_token", "output_cost_per_token"] as const;

/** Lays the vendors' facts over a model: fees, multiples of the plain rates, and the variants of service tiers. */
export function addFacts(model: SourceModel): SourceModel {
  const isOf = ({ provider, model: names }: { provider: string; model: RegExp }) =>
    provider === model.provider && names.test(model.name);
  const extra = additions.filter(isOf);
  const tiers = serviceTiers.filter(isOf);
  const multiplied = multiples.filter(isOf);
  if (extra.length + tiers.length + multiplied.length === 0) return model;
  const periods = model.periods.map((period): Period => {
    const rates: Record<string, unknown> = { ...period.rates };
    for (const { rates: more, without } of extra) {
      for (const name of without ?? []) delete rates[name];
      Object.assign(rates, more);
    }
    for (const { tier, factor, rates: stated } of tiers) {
      Object.assign(rates, stated);
      for (const name of plainRates) {
        const plain = period.rates[name];
        if (factor && typeof plain === "number") rates[`${name}_${tier}`] ??= times(plain, factor);
      }
    }
    const input = period.rates.input_cost_per_token;
    for (const { name, factor } of multiplied) if (input) rates[name] ??= times(input, factor);
    return { ...period, rates: rates as Rates };
  });
  return { ...model, periods };
}
