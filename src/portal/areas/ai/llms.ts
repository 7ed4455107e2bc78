import { type ProviderConfig, ProviderConfig as Shape } from "../../../api/governance.ts";

/** The provider that a pattern names: the part before its slash; `*` where it names none, as `*` itself and bare names of models do. */
function providerOf(pattern: string): string {
  const slash = pattern.indexOf("/");
  return slash < 1 ? "*" : pattern.slice(0, slash);
}

/**
 * The entries that allow what the patterns say and nothing else. Entries that are there keep their weights, limits and credentials,
 * and get the patterns of their provider, be it none; for providers without an entry new ones are made.
 */
export function entriesFor(llms: readonly string[], present: readonly ProviderConfig[] = []): ProviderConfig[] {
  const named = new Set(present.map(({ provider }) => provider));
  const missing = new Set(llms.map(providerOf).filter((provider) => !named.has(provider)));
  const isGeneral = named.has("*") || missing.has("*");
  const made = missing.has("*") ? ["*"] : isGeneral ? [] : [...missing];
  const entries = [...present, ...made.map((provider) => Shape.parse({ provider, allowed_models: [] }))];
  return entries.map((entry) => ({ ...entry, allowed_models: allowedBy(llms, entry.provider, named) }));
}

function allowedBy(llms: readonly string[], provider: string, named: ReadonlySet<string>): string[] {
  return llms.filter((pattern) => {
    const own = providerOf(pattern);
    return own === provider || own === "*" || (provider === "*" && !named.has(own));
  });
}

/** What entries allow, as patterns that name their providers. */
export function llmsOf(entries: readonly ProviderConfig[]): string[] {
  const patterns = entries.flatMap(({ provider, allowed_models }) =>
    allowed_models.map((pattern) => {
      if (provider === "*" || pattern.startsWith(`${provider}/`)) return pattern;
      return `${provider}/${pattern}`;
    }),
  );
  return [...new Set(patterns)];
}

/** The patterns by the provider that they name. */
export function groupLlms(llms: readonly string[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const pattern of llms) groups.set(providerOf(pattern), [...(groups.get(providerOf(pattern)) ?? []), pattern]);
  return Object.fromEntries(groups);
}

/** The position of the first pattern that allows something which none of the ceiling's does; -1 when there is none. */
export function findBeyond(llms: readonly string[], ceiling: readonly string[]): number {
  return llms.findIndex((pattern) => !ceiling.some((bound) => isWithin(pattern, bound)));
}

function isWithin(pattern: string, bound: string): boolean {
  if (bound === "*" || bound === pattern) return true;
  if (bound.endsWith("/*")) return pattern.startsWith(bound.slice(0, -1));
  return !bound.includes("/") && pattern.slice(pattern.indexOf("/") + 1) === bound;
}

/** The patterns that allow what both lists do. */
export function meetLlms(llms: readonly string[], others: readonly string[]): string[] {
  const within = (some: readonly string[], bounds: readonly string[]) =>
    some.filter((pattern) => findBeyond([pattern], bounds) < 0);
  return [...new Set([...within(llms, others), ...within(others, llms)])];
}
