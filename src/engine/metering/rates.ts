import type { AiCostRates, Rates, SearchRates } from "../api/rates.ts";
import { serviceSuffix } from "./fees/service-tiers.ts";
import { type Anchor, type Line, lines, type Unit, units } from "./lines.ts";
import { largestRate, type PicoDollars, toDollarsPerUnit, toRate } from "./money.ts";

/** A rate and where it comes from: its name, or how it was derived from others. */
export interface Price {
  readonly rate: PicoDollars;
  readonly basis: string;
}

/** The price of every unit in one tier and service tier; `undefined` where the model has none. */
export type PriceSheet = { readonly [U in Unit]: Price | undefined };

/** One combination of prompt tier and service tier, as suffixes of a rate's name. */
interface Variant {
  readonly tier: string;
  readonly service: string;
}

/** The variant that a request is billed in. */
interface RateVariantQuery extends Variant {
  /** That of the prompt and those below it, down to the plain one: what one does not state is as in the next. */
  readonly tiers: readonly string[];
}

const plain: Variant = { tier: "", service: "" };

/** A model's rates, read once: its tiers, the sheet of each combination as it is first asked for, and its rarer prices. */
interface RateTable {
  /** Prompt tokens above which a tier begins, highest first; the last is 0. */
  readonly thresholds: readonly number[];
  /** By tier, then by suffix of the service tier. */
  readonly byService: readonly Map<string, PriceSheet>[];
  readonly others: Map<string, Price | undefined>;
}

// Rates are frozen values that live as long as their model's entry; what is derived from them lives exactly as long.
const tariffs = new WeakMap<Rates, RateTable>();

function tariffOf(rates: Rates): RateTable {
  let tariff = tariffs.get(rates);
  if (!tariff) {
    const thresholds = readThresholds(rates);
    tariff = { thresholds, byService: thresholds.map(() => new Map()), others: new Map() };
    tariffs.set(rates, tariff);
  }
  return tariff;
}

/** The numbers of prompt tokens above which other prices hold for the whole request, highest first; the last is 0. */
export function thresholdsOf(rates: Rates): readonly number[] {
  return tariffOf(rates).thresholds;
}

function readThresholds(rates: Rates): number[] {
  const thresholds = new Set([0]);
  for (const name of Object.keys(rates)) {
    const thousands = /_above_(\d+)k_tokens/.exec(name)?.[1];
    if (thousands !== undefined) thresholds.add(Number(thousands) * 1_000);
  }
  return [...thresholds].sort((a, b) => b - a);
}

/**
 * The prices of a request with `promptTokens` served as `serviceTier`. Once the prompt is longer than a threshold of the model, the
 * whole request is billed in that tier; what this one does not state holds as in the tier below. A variant that the model does not
 * state is derived: scaled as the plain input (or output) rate is, so that half-price batches halve cached reads too. A kind of token
 * without any rate is billed as what it falls back to.
 */
export function priceSheet(rates: Rates, promptTokens: number, serviceTier: string | null | undefined): PriceSheet {
  const { thresholds, byService } = tariffOf(rates);
  const tier = thresholds.findIndex((threshold) => promptTokens > threshold || threshold === 0);
  const service = serviceSuffix(serviceTier);
  let sheet = byService[tier]!.get(service);
  if (!sheet) {
    sheet = deriveSheet(rates, thresholds[tier]!, service);
    byService[tier]!.set(service, sheet);
  }
  return sheet;
}

function deriveSheet(rates: Rates, threshold: number, service: string): PriceSheet {
  const reached = thresholdsOf(rates).filter((each) => each <= threshold);
  const tiers = reached.map((each) => (each === 0 ? "" : `_above_${each / 1_000}k_tokens`));
  const requested: RateVariantQuery = { tier: tiers[0] ?? "", service, tiers };
  const sheet: Partial<Record<string, Price>> = {};
  for (const unit of units) {
    const line: Line = lines[unit];
    const other = line.otherwise === undefined ? undefined : sheet[line.otherwise];
    const own = ownPrice(rates, line, requested);
    const price = own ?? (other && { rate: other.rate, basis: `${other.basis} (no ${line.rate})` });
    if (price) sheet[unit] = price;
  }
  return sheet as PriceSheet;
}

function ownPrice(rates: Rates, { rate: name, anchor }: Line, requested: RateVariantQuery): Price | undefined {
  for (const variant of requested.tiers.flatMap((tier) =>
    [requested.service, ""].map((service) => ({ tier, service })),
  )) {
    const rate = readRate(rates, name, variant);
    if (rate === undefined) continue;
    const stated = { rate, basis: nameOf(name, variant) };
    return anchor ? scale(stated, stepsBetween(rates, anchor, { from: variant, to: requested })) : stated;
  }
  return undefined;
}

/** By how much a rate is another: the anchor's rate in one variant over its rate in a simpler one. */
interface RateRatio {
  readonly over: Price;
  readonly under: Price;
}

/** How the anchor gets from one variant to another: at once if it states both, else by tier and by service tier. */
function stepsBetween(
  rates: Rates,
  anchor: Anchor,
  { from, to }: { from: Variant; to: RateVariantQuery },
): readonly RateRatio[] {
  const step = (over: Variant, under: Variant): readonly RateRatio[] | undefined => {
    const [a, b] = [readRate(rates, anchor, over), readRate(rates, anchor, under)];
    if (a === undefined || !b) return undefined;
    if (a === b) return [];
    return [{ over: { rate: a, basis: nameOf(anchor, over) }, under: { rate: b, basis: nameOf(anchor, under) } }];
  };
  const atOnce = step(to, from);
  if (atOnce) return atOnce;
  const isStated = (tier: string) => readRate(rates, anchor, { tier, service: "" }) !== undefined;
  const holding = (tier: string) => to.tiers.slice(to.tiers.indexOf(tier)).find(isStated) ?? "";
  const byTier = step({ tier: holding(to.tier), service: "" }, { tier: holding(from.tier), service: "" }) ?? [];
  const byService = from.service === to.service ? [] : (step({ ...to, tier: "" }, plain) ?? []);
  return [...byTier, ...byService];
}

function scale(price: Price, steps: readonly RateRatio[]): Price {
  let { rate, basis } = price;
  for (const { over, under } of steps) {
    rate = Math.round((rate * over.rate) / under.rate);
    basis += ` × ${over.basis} ÷ ${under.basis}`;
  }
  // Rates that contradict each other so much that no price comes out of them: the stated one is all that can be said.
  return rate <= largestRate ? { rate, basis } : price;
}

function nameOf(name: string, { tier, service }: Variant): string {
  return name + tier + service;
}

function readRate(rates: Rates, name: string, variant: Variant): PicoDollars | undefined {
  const dollars = rates[nameOf(name, variant)];
  return typeof dollars === "number" ? toRate(dollars) : undefined;
}

const nextSizes = {
  low: ["low", "medium", "high"],
  medium: ["medium", "high", "low"],
  high: ["high", "medium", "low"],
} as const;

/** How much context a web search brings. */
export type SearchContextSize = keyof typeof nextSizes;

/** The fee of one web search that brings so much context; that of the next size where this one has none. */
export function searchPrice(rates: Rates, size: SearchContextSize): Price | undefined {
  return rarerPrice(rates, size, () => {
    const always = rates.search_cost_per_request;
    if (always !== undefined) return { rate: toRate(always), basis: "search_cost_per_request" };
    const fee = rates.search_context_cost_per_query;
    if (typeof fee === "object") return sizedFee(fee, size);
    return fee === undefined ? undefined : { rate: toRate(fee), basis: "search_context_cost_per_query" };
  });
}

/** The searches that every answer has: one of a model that always searches, whether or not it was asked to. */
export function leastSearches(rates: Rates): number {
  return rates.search_cost_per_request === undefined ? 0 : 1;
}

function sizedFee(fee: SearchRates, size: SearchContextSize): Price | undefined {
  for (const each of nextSizes[size]) {
    const name = `search_context_size_${each}` as const;
    const dollars = fee[name];
    if (dollars !== undefined) return { rate: toRate(dollars), basis: `search_context_cost_per_query.${name}` };
  }
  return undefined;
}

/** An image that a model made, where its price depends on more than there being one. */
export interface MadeImages {
  readonly count: number;
  readonly quality?: "low" | "medium" | "high" | "auto" | undefined;
  /** Pixels of the shorter side. */
  readonly side?: number | undefined;
}

const imageSides = [4096, 2048, 1024, 512] as const;

/** The price of one made image: that of its quality, else of its size, else of any image. */
export function imagePrice(rates: Rates, { quality, side = 0 }: MadeImages): Price | undefined {
  const larger = imageSides.filter((each) => side > each).map((each) => `_above_${each}_and_${each}_pixels`);
  const endings = [...(quality ? [`_${quality}_quality`] : []), ...larger, ""];
  return rarerPrice(rates, `image${endings[0]}${endings[1]}`, () => {
    for (const ending of endings) {
      const name = `output_cost_per_image${ending}`;
      const rate = readRate(rates, name, plain);
      if (rate !== undefined) return { rate, basis: name };
    }
    return undefined;
  });
}

function rarerPrice(rates: Rates, key: string, read: () => Price | undefined): Price | undefined {
  const { others } = tariffOf(rates);
  if (!others.has(key)) others.set(key, read());
  return others.get(key);
}

/** The rates in the portal's form, where the search fee is one number: that of the medium size. */
export function toAiCostRates(rates: Rates): AiCostRates {
  const { search_context_cost_per_query: _fee, ...rest } = rates;
  const fee = searchPrice(rates, "medium");
  return fee ? { ...rest, search_context_cost_per_query: toDollarsPerUnit(fee.rate) } : rest;
}
