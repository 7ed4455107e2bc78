import type { ModelFacts, Prices } from "../../../src/engine/ports/prices.ts";
import { object } from "../../../src/engine/runtime/checks.ts";
import { checkedOptions } from "../../shared/options.ts";
import { findDescription } from "./description.ts";
import { layOver, type Overrides, readOverrides } from "./overrides.ts";
import { ownProviders } from "./own.ts";
import { findPrice, listNames, openPriceIndex, type PriceIndex } from "./price-index.ts";
import { providers as snapshot, sources, version } from "./snapshot.ts";
import { unpack } from "./unpack.ts";

export { isModelsDev } from "./models-dev.ts";
export { type ReplaceablePrices, replaceablePrices } from "./replaceable.ts";

/** Options of {@link catalogue}. */
export interface CatalogueOptions {
  /**
   * Prices of your own, over the built-in ones: a file in the common per-token map format or in that of models.dev, or `provider/model`
   * to rates of the same names. An entry with both `input_cost_per_token` and `output_cost_per_token` is a whole price and replaces all rates, cached and tiered
   * ones too; the rates of any other entry are laid over the known ones, one by one. `provider/*` and `provider/prefix*` hold for every
   * model that has no closer entry, or none yet. A list of entries with `effective_from` days is a price that changes.
   */
  readonly overrides?: Readonly<Record<string, unknown>> | undefined;
  /** Prices in the same forms that win over `overrides`. */
  readonly own?: Readonly<Record<string, unknown>> | undefined;
  /** Providers of your own that sell at the prices of a known one: `{ "my-azure": "azure" }`. */
  readonly like?: Readonly<Record<string, string>> | undefined;
}

/** The built-in prices. */
export interface Catalogue extends Prices {
  /** The packages whose public data the snapshot is made from. */
  readonly sources: typeof sources;
  /** What the catalogue ignores of the overrides, for its caller to show; at most one sentence. */
  readonly warnings: readonly string[];
}

/** The prices of a file alone, as they are at a time: rates by `provider/model`, in lower case. Throws `invalid_configuration` as {@link catalogue} does. */
export function ratesOfFile(
  file: Readonly<Record<string, unknown>>,
  at: number,
): Map<string, NonNullable<ModelFacts["rates"]>> {
  const found = new Map<string, NonNullable<ModelFacts["rates"]>>();
  for (const [name, entries] of readOverrides(file).byName) {
    const rates = entries.findLast(({ from }) => from <= at)?.facts.rates;
    if (rates) found.set(name, rates);
  }
  return found;
}

/** Reads the prices over the built-in ones; undefined without any. */
function readLayers(...files: readonly (Readonly<Record<string, unknown>> | undefined)[]): Overrides | undefined {
  const layers = files.flatMap((file) => (file && Object.keys(file).length > 0 ? [readOverrides(file)] : []));
  return layers.length === 0 ? undefined : layers.reduce(layOver);
}

/** Providers whose vendor the snapshot knows by another name. */
const familyOf: Readonly<Record<string, string>> = { dashscope: "alibaba" };

/**
 * Prices and facts of the models that the snapshot knows. Nothing is read from it until the first look-up, then a provider at a time.
 * Throws `invalid_configuration` when the overrides cannot be used.
 */
export function catalogue(options: CatalogueOptions = {}): Catalogue {
  const checks = { overrides: object, own: object, like: object };
  const { overrides: file, own: ownPrices, like: added } = checkedOptions(options, checks, { of: "catalogue" });
  const like: Readonly<Record<string, string>> = { ...familyOf, ...added };
  const overrides = readLayers(file, ownPrices);
  const packed = new Map(Object.entries(snapshot));
  const own = new Map(Object.entries(ownProviders));
  const names = new Set([...packed.keys(), ...own.keys(), ...Object.keys(like), ...(overrides?.providers ?? [])]);
  const indexes = new Map<string, PriceIndex>();
  const open = (provider: string): PriceIndex | undefined => {
    if (!names.has(provider)) return undefined;
    const family = new Map(Object.entries(like)).get(provider) ?? provider;
    const text = own.get(family) ?? (packed.has(family) ? unpack(packed.get(family) ?? "") : "");
    const index = openPriceIndex(provider, { family, text, overrides });
    indexes.set(provider, index);
    return index;
  };
  const find = (provider: string, model: string, at: number): ModelFacts | undefined => {
    const index = indexes.get(provider) ?? open(provider);
    return index && findPrice(index, model, at);
  };
  const list = (at: number, provider?: string): ModelFacts[] =>
    (provider === undefined ? [...names].sort() : [provider]).flatMap((each) => {
      const index = indexes.get(each) ?? open(each);
      return index ? listNames(index).flatMap((model) => findPrice(index, model, at) ?? []) : [];
    });
  const describe = (provider: string, model: string) =>
    findDescription(new Map(Object.entries(like)).get(provider) ?? provider, model);
  const suffix = overrides ? `+${overrides.digest}` : "";
  return { version: version + suffix, sources, warnings: overrides?.warnings ?? [], find, list, describe };
}
