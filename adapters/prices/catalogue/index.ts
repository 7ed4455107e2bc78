import { object } from "../../../src/ports/checks.ts";
import type { ModelFacts, Prices } from "../../../src/ports.ts";
import { given } from "../../shared/options.ts";
import { readOverrides } from "./overrides.ts";
import { ownProviders } from "./own.ts";
import { findOn, listNames, openShelf, type Shelf } from "./shelf.ts";
import { providers as snapshot, sources, version } from "./snapshot.ts";

/** Options of {@link catalogue}. */
export interface CatalogueOptions {
  /**
   * Prices of your own, over the built-in ones: a file in the common per-token map format, or `provider/model` to rates of the same
   * names. An entry with both `input_cost_per_token` and `output_cost_per_token` is a whole price and replaces all rates, cached and tiered
   * ones too; the rates of any other entry are laid over the known ones, one by one. `provider/*` and `provider/prefix*` hold for every
   * model that has no closer entry, or none yet. A list of entries with `effective_from` days is a price that changes.
   */
  readonly overrides?: Readonly<Record<string, unknown>> | undefined;
  /** Providers of your own that sell at the prices of a known one: `{ "my-azure": "azure" }`. */
  readonly like?: Readonly<Record<string, string>> | undefined;
}

/** The built-in prices. */
export interface Catalogue extends Prices {
  /** The packages whose public data the snapshot is made from. */
  readonly sources: typeof sources;
}

/**
 * Prices and facts of the models that the snapshot knows. Nothing is read from it until the first look-up, then a provider at a time.
 * Throws `invalid_configuration` when the overrides cannot be used.
 */
export function catalogue(options: CatalogueOptions = {}): Catalogue {
  const { overrides: file, like = {} } = given(options, { overrides: object, like: object }, { of: "catalogue" });
  const overrides = file && Object.keys(file).length > 0 ? readOverrides(file) : undefined;
  const texts = new Map(Object.entries({ ...snapshot, ...ownProviders }));
  const names = new Set([...texts.keys(), ...Object.keys(like), ...(overrides?.providers ?? [])]);
  const shelves = new Map<string, Shelf>();
  const open = (provider: string): Shelf | undefined => {
    if (!names.has(provider)) return undefined;
    const text = texts.get(new Map(Object.entries(like)).get(provider) ?? provider) ?? "";
    const shelf = openShelf(provider, { text, overrides });
    shelves.set(provider, shelf);
    return shelf;
  };
  const find = (provider: string, model: string, at: number): ModelFacts | undefined => {
    const shelf = shelves.get(provider) ?? open(provider);
    return shelf && findOn(shelf, model, at);
  };
  const list = (at: number, provider?: string): ModelFacts[] =>
    (provider === undefined ? [...names].sort() : [provider]).flatMap((each) => {
      const shelf = shelves.get(each) ?? open(each);
      return shelf ? listNames(shelf).flatMap((model) => findOn(shelf, model, at) ?? []) : [];
    });
  const suffix = overrides ? `+${overrides.digest}` : "";
  return { version: version + suffix, sources, find, list };
}
