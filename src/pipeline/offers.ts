import { type ModelFacts, type Prices, type Provider, type ProviderVerb, providerVerbs } from "../ports.ts";
import { openCall } from "./call.ts";
import { askProvider } from "./listing.ts";
import type { Ports } from "./ports.ts";
import { settleCall, settleFailure } from "./settle.ts";

/** What a provider of the engine offers. */
export interface ProviderOffer {
  readonly name: string;
  /** The verbs that it has a method for. */
  readonly verbs: readonly ProviderVerb[];
  /** Its models by the provider's own names, with what is known of them; sorted by name. */
  readonly models: readonly ModelFacts[];
}

/** What may be asked through an engine and what that costs, for whoever manages it; no virtual key is needed. */
export interface Offers {
  readonly prices: Prices;
  /**
   * Every provider. Its models are those of the catalogue; of a provider that the catalogue does not know, those that it lists
   * itself, and none while it cannot be reached.
   */
  list(): Promise<readonly ProviderOffer[]>;
}

/** The offers of an engine. */
export function offersOf(ports: Ports): Offers {
  return {
    prices: ports.books.prices,
    list: () => Promise.all([...ports.providers.values()].map((provider) => describeOffer(ports, provider))),
  };
}

async function describeOffer(ports: Ports, provider: Provider): Promise<ProviderOffer> {
  const { name } = provider;
  const known = ports.books.prices.list(ports.clock.now(), name);
  const models = known.length > 0 ? known : await askForModels(ports, provider);
  const has = providerVerbs.filter((verb) => provider[verb] !== undefined);
  return { name, verbs: has, models: models.toSorted((one, other) => (one.model < other.model ? -1 : 1)) };
}

async function askForModels(ports: Ports, provider: Provider): Promise<readonly ModelFacts[]> {
  const { name, listModels } = provider;
  if (!listModels) return [];
  const call = openCall(ports, "list_models", { input: {}, options: {} });
  const listing = await askProvider(call, provider);
  if ("error" in listing) {
    await settleFailure(call, listing.error);
    return [];
  }
  await settleCall(call, { status: 200, reason: "ok" });
  return listing.models.map(({ id }) => ({ provider: name, model: id.slice(name.length + 1) }));
}
