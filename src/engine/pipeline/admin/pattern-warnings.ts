import type { Budget, ProviderConfig, RateLimit } from "../../api/governance.ts";
import type { Provider } from "../../ports/provider.ts";
import { namesModel } from "../../routing/credential.ts";
import type { Ports } from "../runtime/ports.ts";
import { judgePatterns, writeNotes } from "./known-models.ts";

/** Fields of keys, projects and customers, and of changes to them, that hold patterns of models. */
export interface PatternFields {
  readonly llms?: readonly string[] | null | undefined;
  readonly budgets?: readonly Pick<Budget, "models">[] | null | undefined;
  readonly rate_limits?: readonly Pick<RateLimit, "models">[] | null | undefined;
  readonly provider_configs?: readonly EntryFields[] | null | undefined;
}

/** An entry of a provider as it is made; what is absent has a default without patterns. */
type EntryFields = Pick<ProviderConfig, "provider" | "allowed_models"> &
  Pick<PatternFields, "budgets" | "rate_limits"> & { readonly blocked_models?: readonly string[] | undefined };

/** Returns every pattern of models that the fields hold, those of a provider's entry with its name. */
export function listPatterns({ llms, budgets, rate_limits, provider_configs }: PatternFields): string[] {
  const ofLimits = [...(budgets ?? []), ...(rate_limits ?? [])].flatMap(({ models }) => models ?? []);
  return [...(llms ?? []), ...ofLimits, ...(provider_configs ?? []).flatMap(listOfEntry)];
}

function listOfEntry({ provider, allowed_models, blocked_models = [], budgets, rate_limits }: EntryFields): string[] {
  const patterns = [...allowed_models, ...blocked_models, ...listPatterns({ budgets, rate_limits })];
  if (provider !== "*" && patterns.length === 0) return [`${provider}/*`];
  return patterns.map((pattern) => nameIn(provider, pattern));
}

function nameIn(provider: string, pattern: string): string {
  return provider === "*" || pattern.startsWith(`${provider}/`) ? pattern : `${provider}/${pattern}`;
}

/**
 * Returns a sentence for every pattern that matches no known model, with what was probably meant. Known are the models of the price
 * list, those that providers have listed before, and any of a provider without either: no provider is asked for its list. An engine
 * without a price list warns of nothing.
 */
export function warnOfPatterns(ports: Ports, patterns: readonly string[]): readonly string[] {
  const { providers, modelLists, accounting } = ports;
  const { prices } = accounting;
  const now = ports.clock.now();
  if (patterns.every((pattern) => pattern === "*")) return [];
  const priced = new Set(prices.list(now).map(({ provider }) => provider));
  if (priced.size === 0) return [];
  const isListedBy = ({ name, credentials }: Provider, model: string) =>
    modelLists.namesOf(name)?.has(model) === true ||
    credentials?.some((credential) => namesModel(credential, model)) === true;
  const isListed = (provider: string, model: string) => {
    const own = providers.get(provider);
    if (own || provider !== "") return own !== undefined && isListedBy(own, model);
    // A name without a provider may be that of any, also of one without a price list.
    return [...providers.values()].some((each) => !priced.has(each.name) || isListedBy(each, model));
  };
  const knowledge = { prices, providers: new Set([...priced, ...providers.keys()]), isListed, now };
  const { unknown } = judgePatterns(patterns, knowledge);
  const reported = unknown.filter(({ pattern, similar }) => similar !== undefined || priced.has(ownerOf(pattern)));
  return writeNotes({ unknown: reported, unpriced: [] });
}

/** The provider of a pattern; a name without one is of the price list's providers together. */
function ownerOf(pattern: string): string {
  const slash = pattern.indexOf("/");
  return slash < 0 ? "" : pattern.slice(0, slash).toLowerCase();
}
