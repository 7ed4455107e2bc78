import { multiplyRates } from "../../adapters/prices/catalogue/locations.ts";
import type { Rates } from "../../src/engine/api/rates.ts";
import { corrections } from "./facts.ts";
import { agree, currentRates, differs, type SourceModel } from "./model.ts";
import type { SourceKey } from "./sources.ts";

/** What each source says of one model. */
export type BySource = Partial<Record<SourceKey, SourceModel>>;

/** Two or more sources whose figures for one rate differ by more than one in a hundred. */
export interface Disagreement {
  readonly model: string;
  readonly rate: string;
  /** Dollars per unit by source. */
  readonly figures: Partial<Record<SourceKey, number>>;
  /** Whose figure the catalogue has. */
  readonly chosen: SourceKey | "vendor";
}

/** Whose prices to take where no vote decides, first to last. */
export const priceOrder = [
  "genai",
  "map",
  "pi",
  "modelsdev",
  "litellm",
  "tokenlens",
] as const satisfies readonly SourceKey[];

/** Sources that copy from each other speak with one voice: that of the newest. */
const voices: readonly (readonly SourceKey[])[] = [["map", "litellm"], ["genai"], ["pi", "modelsdev"]];

/**
 * The source whose price most voices share; where they are even, the voice of the newest list. The hand-checked list speaks for its
 * side, because it also knows first days.
 */
export function choosePrices(id: string, sources: BySource, today: string): SourceKey | "vendor" | undefined {
  if (corrections[id]) return "vendor";
  const stated = voices.flatMap((keys) => {
    const key = keys.find((each) => currentRates(sources[each], today));
    const rates = currentRates(key && sources[key], today);
    return key && rates ? [{ key, rates }] : [];
  });
  if (stated.length === 0) return priceOrder.find((key) => sources[key]?.periods.length);
  const votes = ({ rates }: { rates: Rates }) => stated.filter((each) => agree(each.rates, rates)).length;
  // The hand-checked list wins a draw without the newest one, and where the newest writes a region's price under the plain name.
  const ranked =
    sources.map && !isRegionalPrice(currentRates(sources.map, today), currentRates(sources.genai, today))
      ? stated
      : stated.toSorted((a, b) => order(a.key) - order(b.key));
  const winner = ranked.reduce((best, each) => (votes(each) > votes(best) ? each : best));
  const side = stated.filter(({ rates }) => agree(rates, winner.rates)).map(({ key }) => key);
  return side.toSorted((a, b) => order(a) - order(b))[0];
}

function isRegionalPrice(map: Rates | undefined, checked: Rates | undefined): boolean {
  return map !== undefined && checked !== undefined && agree(map, multiplyRates(checked, 1.1));
}

function order(key: SourceKey): number {
  return priceOrder.indexOf(key as (typeof priceOrder)[number]);
}

const comparedRates = ["input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost"] as const;

/** Where sources differ on a model, and whether more than one states a price. */
export function compareSources(
  id: string,
  sources: BySource,
  { today, chosen }: { today: string; chosen: SourceKey | "vendor" | undefined },
): { isCompared: boolean; list: Disagreement[] } {
  const priced = priceOrder.filter((key) => key !== "tokenlens" && currentRates(sources[key], today));
  const list: Disagreement[] = [];
  for (const rate of comparedRates) {
    const known = priced.flatMap((key) => {
      const figure = currentRates(sources[key], today)?.[rate];
      return figure === undefined ? [] : [[key, figure] as const];
    });
    if (chosen && known.length > 1 && differs(known.map(([, figure]) => figure)))
      list.push({ model: id, rate, figures: Object.fromEntries(known), chosen });
  }
  return { isCompared: priced.length > 1, list };
}
