import { type ProviderConfig, ProviderConfig as Shape } from "../../engine/api/governance.ts";
import { meetBudgets, meetRates } from "../../engine/policy/tighten.ts";

/** Returns the provider of a pattern: the part before its slash, or `*` for `*` itself and for bare model names. */
function providerOf(pattern: string): string {
  const slash = pattern.indexOf("/");
  return slash < 1 ? "*" : pattern.slice(0, slash);
}

/**
 * Returns the entries that allow exactly the patterns. Present entries keep their weights, limits and credentials and get the patterns
 * of their provider, which may be none. A provider without an entry gets a new one.
 */
export function entriesFor(llms: readonly string[], present: readonly ProviderConfig[] = []): ProviderConfig[] {
  const named = new Set(present.map(({ provider }) => provider));
  const missing = new Set(llms.map(providerOf).filter((provider) => !named.has(provider)));
  const isGeneral = named.has("*") || missing.has("*");
  const created = missing.has("*") ? ["*"] : isGeneral ? [] : [...missing];
  const entries = [...present, ...created.map((provider) => Shape.parse({ provider, allowed_models: [] }))];
  return entries.map((entry) => ({ ...entry, allowed_models: allowedBy(llms, entry.provider, named) }));
}

function allowedBy(llms: readonly string[], provider: string, named: ReadonlySet<string>): string[] {
  return llms.filter((pattern) => {
    const own = providerOf(pattern);
    return own === provider || own === "*" || (provider === "*" && !named.has(own));
  });
}

/** Returns what entries allow, as patterns with their provider. */
export function llmsOf(entries: readonly ProviderConfig[]): string[] {
  const patterns = entries.flatMap(({ provider, allowed_models }) =>
    allowed_models.map((pattern) => {
      if (provider === "*" || pattern.startsWith(`${provider}/`)) return pattern;
      return `${provider}/${pattern}`;
    }),
  );
  return [...new Set(patterns)];
}

/** Groups patterns by their provider. */
export function groupLlms(llms: readonly string[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const pattern of llms) groups.set(providerOf(pattern), [...(groups.get(providerOf(pattern)) ?? []), pattern]);
  return Object.fromEntries(groups);
}

/** Returns the position of the first pattern that no pattern of the ceiling covers; -1 when all are covered. */
export function findBeyond(llms: readonly string[], ceiling: readonly string[]): number {
  return llms.findIndex((pattern) => !ceiling.some((bound) => isWithin(pattern, bound)));
}

function isWithin(pattern: string, bound: string): boolean {
  if (bound === "*" || bound === pattern) return true;
  if (bound.endsWith("/*")) return pattern.startsWith(bound.slice(0, -1));
  return !bound.includes("/") && pattern.slice(pattern.indexOf("/") + 1) === bound;
}

/** Returns the patterns that both lists allow. */
export function meetLlms(llms: readonly string[], others: readonly string[]): string[] {
  const within = (some: readonly string[], bounds: readonly string[]) =>
    some.filter((pattern) => findBeyond([pattern], bounds) < 0);
  return [...new Set([...within(llms, others), ...within(others, llms)])];
}

/** Returns entries that allow no more than others do. An entry that does already stays as it is. */
export function meetEntries(entries: readonly ProviderConfig[], bound: readonly ProviderConfig[]): ProviderConfig[] {
  const general = bound.find(({ provider }) => provider === "*");
  const met = entries.map((entry) =>
    meetEntry(entry, bound.find(({ provider }) => provider === entry.provider) ?? general),
  );
  const rest = entries.find(({ provider }) => provider === "*");
  if (!rest) return met;
  const named = new Set(entries.map(({ provider }) => provider));
  const governed = bound.filter(({ provider }) => !named.has(provider)); // until now by the general entry, which allows more
  return [...met, ...governed.map((entry) => meetEntry({ ...rest, provider: entry.provider }, entry))];
}

function meetEntry(entry: ProviderConfig, bound: ProviderConfig | undefined): ProviderConfig {
  if (!bound) return { ...entry, allowed_models: [] };
  const [own, others] = [llmsOf([entry]), llmsOf([{ ...bound, provider: entry.provider }])];
  return {
    ...entry,
    allowed_models: findBeyond(own, others) < 0 ? entry.allowed_models : meetLlms(own, others),
    blocked_models: [...new Set([...entry.blocked_models, ...bound.blocked_models])],
    key_ids: meetIds(entry.key_ids, bound.key_ids),
    budgets: meetBudgets(entry.budgets, bound.budgets),
    rate_limits: meetRates(entry.rate_limits, bound.rate_limits),
  };
}

function meetIds(ids: readonly string[], bound: readonly string[]): string[] {
  if (bound.includes("*")) return [...ids];
  return ids.includes("*") ? [...bound] : ids.filter((id) => bound.includes(id));
}
