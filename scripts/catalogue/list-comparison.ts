import type { ModelFacts, Prices } from "../../src/engine/ports/prices.ts";
import { classifyListed } from "./list-classes.ts";
import { isSamePrice, type ListDifference, type PlainPrice } from "./plain-price.ts";
import { readMapEntries } from "./price-map.ts";
import { type ListedPrice, readPublicLists } from "./public-lists.ts";

/** How the catalogue compares with one list at one provider. */
export interface ListCoverage {
  readonly models: number;
  readonly known: number;
  /** Of the known: input and output are the same to one in ten thousand, and cached reads where the list states them. */
  readonly equal: number;
  readonly differences: readonly (ListDifference & { readonly reason: string })[];
}

const hour = 3_600_000;
const day = 24 * hour;

/** Compares both lists with the catalogue as it is at a time; the key is `list provider`. */
export function compareWithLists(prices: Prices, at: number): Map<string, ListCoverage> {
  const all = readPublicLists();
  const terms = { prices, at, all, sellers: sellersByName(prices, at), map: mapByName() };
  const found = new Map<string, ListCoverage>();
  for (const listed of all) {
    const key = `${listed.list} ${listed.provider}`;
    const { models, known, equal, differences } = found.get(key) ?? { models: 0, known: 0, equal: 0, differences: [] };
    const difference = compareListed(listed, terms);
    const isEqual = !difference;
    const isKnown = isEqual || difference.ours !== undefined;
    found.set(key, {
      models: models + 1,
      known: known + (isKnown ? 1 : 0),
      equal: equal + (isEqual ? 1 : 0),
      differences: difference ? [...differences, { ...difference, reason: classifyListed(difference) }] : differences,
    });
  }
  return found;
}

interface SellerPrice {
  readonly provider: string;
  readonly price: PlainPrice;
}

interface Terms {
  readonly prices: Prices;
  readonly at: number;
  readonly all: readonly ListedPrice[];
  readonly sellers: ReadonlyMap<string, readonly SellerPrice[]>;
  readonly map: ReadonlyMap<string, { readonly price: PlainPrice; readonly retires: string | undefined }>;
}

function compareListed(listed: ListedPrice, { prices, at, all, sellers, map }: Terms): ListDifference | undefined {
  const { provider, model, list } = listed;
  const facts = prices.find(provider, model, at);
  const theirs = priceOf(listed);
  const ours = plainPrice(facts);
  if (ours && isSamePrice(ours, theirs) && !(listed.cachedRead !== undefined && ours[2] === undefined))
    return undefined;
  const others = all.filter((each) => each.list !== list && each.provider === provider && each.model === model);
  const mapped = map.get(`${provider}/${model}`.toLowerCase());
  return {
    listed,
    theirs,
    ours,
    mode: facts?.mode,
    otherTimes: times(at).flatMap((time) => asList(plainPrice(prices.find(provider, model, time)))),
    otherSellers: (sellers.get(bareName(model)) ?? []).flatMap((each) =>
      each.provider === provider ? [] : [each.price],
    ),
    witnesses: [...(mapped ? [mapped.price] : []), ...others.map(priceOf)],
    isRetired: mapped?.retires !== undefined && mapped.retires <= new Date(at).toISOString().slice(0, 10),
  };
}

const asList = (price: PlainPrice | undefined): PlainPrice[] => (price ? [price] : []);
const priceOf = ({ input, output, cachedRead }: ListedPrice): PlainPrice => [input, output, cachedRead];

function plainPrice(facts: ModelFacts | undefined): PlainPrice | undefined {
  if (!facts?.rates) return undefined;
  const { input_cost_per_token: input, output_cost_per_token: output } = facts.rates;
  const millions = [input, output, facts.rates.cache_read_input_token_cost].map((rate) =>
    rate === undefined ? undefined : Number((rate * 1e6).toFixed(6)),
  );
  return [millions[0], millions[1], millions[2]];
}

/** Every hour of a week, and a day in each month of a year before and after. */
function times(at: number): number[] {
  const hours = Array.from({ length: 168 }, (_, index) => at + index * hour);
  const months = Array.from({ length: 25 }, (_, index) => at + (index - 12) * 30 * day);
  return [...hours, ...months];
}

/** A model's name without its maker and its letter cases. */
function bareName(model: string): string {
  return (model.split("/").at(-1) ?? model).toLowerCase();
}

function sellersByName(prices: Prices, at: number): Map<string, SellerPrice[]> {
  const found = new Map<string, SellerPrice[]>();
  for (const facts of prices.list(at)) {
    const price = plainPrice(facts);
    const name = bareName(facts.model);
    if (price) found.set(name, [...(found.get(name) ?? []), { provider: facts.provider, price }]);
  }
  return found;
}

function mapByName(): Map<string, { price: PlainPrice; retires: string | undefined }> {
  const entries = readMapEntries().map(({ model, retires }) => {
    const { provider, name } = model;
    const rates = model.periods[0]?.rates;
    return [
      `${provider}/${name}`.toLowerCase(),
      { price: plainPrice({ provider, model: name, rates }) ?? [undefined, undefined, undefined], retires },
    ] as const;
  });
  return new Map(entries);
}
