import type { ModelFacts, Prices } from "../../ports/prices.ts";
import { type Provider, type ProviderVerb, providerVerbs } from "../../ports/provider.ts";
import type { Identify } from "../../routing/model-identity.ts";
import { settleCall, settleFailure } from "../accounting/settle.ts";
import { warnOfPatterns } from "../admin/pattern-warnings.ts";
import { openCall } from "../call/call.ts";
import type { Ports } from "../runtime/ports.ts";
import { askProvider } from "./provider-models.ts";

/** The offer of one provider. */
export interface ProviderOffer {
  readonly name: string;
  /** The verbs that it has a method for. */
  readonly verbs: readonly ProviderVerb[];
  /** Its models by the provider's own names, with their known facts; sorted by name. */
  readonly models: readonly ModelFacts[];
}

/** What may be asked through an engine and what that costs, for administration; no virtual key is needed. */
export interface Offerings {
  readonly prices: Prices;
  /** How names of models are understood in lists of allowed and blocked models. */
  readonly identify: Identify;
  /** Returns a sentence for each pattern of models that matches no known model. Asks no provider. */
  warnOf(patterns: readonly string[]): readonly string[];
  /**
   * Every provider. Its models are those of the catalogue; of a provider that the catalogue does not know, those that it lists
   * itself, and none while it cannot be reached.
   */
  list(): Promise<readonly ProviderOffer[]>;
}

/** The offers of an engine. */
export function offersOf(ports: Ports): Offerings {
  return {
    prices: ports.accounting.prices,
    identify: ports.accounting.identify,
    warnOf: (patterns) => warnOfPatterns(ports, patterns),
    list: () => Promise.all([...ports.providers.values()].map((provider) => describeOffer(ports, provider))),
  };
}

async function describeOffer(ports: Ports, provider: Provider): Promise<ProviderOffer> {
  const { name } = provider;
  const known = ports.accounting.prices.list(ports.clock.now(), name);
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
