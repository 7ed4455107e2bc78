import type { Rates } from "../../src/engine/api/rates.ts";
import { agree, currentRates, type Period, times } from "./model.ts";
import type { SourceKey } from "./sources.ts";
import type { BySource } from "./vote.ts";

/** Whose rates to add to those of the chosen source, first to last. */
const fillOrder = ["genai", "map", "pi", "modelsdev", "litellm"] as const satisfies readonly SourceKey[];
const isTiered = (name: string) => /_above_\d+k_tokens/.test(name);

/**
 * The periods of the chosen source with the rates that only others state, as far as they sell at the same plain price. Other periods
 * than the current one get them in proportion to their plain price.
 */
export function fillRates(sources: BySource, chosen: SourceKey, today: string): readonly Period[] {
  const own = sources[chosen]?.periods ?? [];
  const current = currentRates(sources[chosen], today);
  if (!current) return own;
  const agreeing = fillOrder.flatMap((key) => {
    const rates = key === chosen ? current : currentRates(sources[key], today);
    return rates && agree(rates, current) ? [{ key, rates }] : [];
  });
  const tiers = tiersOf(agreeing, sources.map?.contextLength ?? 0);
  const plain = agreeing.flatMap(({ rates }) => Object.entries(rates).filter(([name]) => !isTiered(name)));
  const filled = { ...Object.fromEntries(plain.toReversed()), ...untiered(current), ...tiers } as Rates;
  return own.map((period) => ({
    ...period,
    rates: period.rates === current ? filled : inProportion(period.rates, current, filled),
  }));
}

function untiered(rates: Rates): Rates {
  return Object.fromEntries(Object.entries(rates).filter(([name]) => !isTiered(name))) as Rates;
}

/**
 * The tiers of one source only, so that no model has two beginnings of its long context. The map states long context wherever it is sold
 * dearer: what it does not state of a window that it knows, older lists have carried over from other vendors.
 */
function tiersOf(agreeing: readonly { key: SourceKey; rates: Rates }[], knownWindow: number): Rates {
  const tiered = agreeing.filter(({ rates }) => Object.keys(rates).some(isTiered));
  const source = tiered.find(({ key }) => key === "map") ?? tiered[0];
  const tiers = Object.entries(source?.rates ?? {}).filter(([name]) => isTiered(name));
  const begin = Math.min(...tiers.map(([name]) => Number(/_above_(\d+)k_tokens/.exec(name)?.[1]) * 1_000));
  const isInMap = agreeing.some(({ key }) => key === "map");
  return isInMap && source?.key !== "map" && knownWindow > begin ? {} : (Object.fromEntries(tiers) as Rates);
}

function inProportion(rates: Rates, current: Rates, filled: Rates): Rates {
  const ratio = (name: "input_cost_per_token" | "output_cost_per_token") =>
    (rates[name] ?? 0) / (current[name] || 1) || 1;
  const added = Object.entries(filled).filter(
    ([name]) => current[name] === undefined && (!isTiered(name) || !Object.keys(rates).some(isTiered)),
  );
  const scaled = added.map(([name, rate]) => {
    if (typeof rate !== "number" || !/_per_(?:\w+_)?token|_token_cost/.test(name.replace(/_above_\d+k_tokens/, "")))
      return [name, rate];
    return [name, times(rate, ratio(name.startsWith("output") ? "output_cost_per_token" : "input_cost_per_token"))];
  });
  return { ...Object.fromEntries(scaled), ...rates } as Rates;
}
