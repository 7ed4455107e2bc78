import type { ModelFacts, Prices } from "../../../src/engine/ports/prices.ts";

/** Prices that can be replaced while calls are under way. */
export interface ReplaceablePrices extends Prices {
  /** The prices of every look-up from now on. */
  replace(prices: Prices): void;
}

/**
 * Prices for an engine that goes on when they change. Every look-up answers from the latest prices; its facts name the version that they
 * are of, so that a call which began before a change is billed, and its ledger row named, by the prices that it was reserved at.
 */
export function replaceablePrices(first: Prices): ReplaceablePrices {
  let current = open(first);
  return {
    get version() {
      return current.version;
    },
    find: (provider, model, at) => current.find(provider, model, at),
    list: (at, provider) => current.list(at, provider),
    describe: async (provider, model) => current.describe?.(provider, model),
    replace(prices) {
      current = open(prices);
    },
  };
}

/** The same prices, whose facts name their version. Facts stay the same objects for as long as nothing changes. */
function open({ version, ...prices }: Prices): Prices {
  const named = new WeakMap<ModelFacts, ModelFacts>();
  const name = (facts: ModelFacts): ModelFacts => {
    const known = named.get(facts);
    if (known) return known;
    const made = Object.freeze({ ...facts, version });
    named.set(facts, made);
    return made;
  };
  return {
    ...prices,
    version,
    find(provider, model, at) {
      const facts = prices.find(provider, model, at);
      return facts && name(facts);
    },
    list: (at, provider) => prices.list(at, provider).map(name),
  };
}
