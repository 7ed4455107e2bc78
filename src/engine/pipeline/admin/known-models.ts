import type { Prices } from "../../ports/prices.ts";
import { parseModelName } from "../../routing/model-name.ts";
import { findSimilar } from "../../runtime/did-you-mean.ts";

/** What is known of providers and models. */
export interface KnownModels {
  readonly prices: Prices;
  /** Names of providers: those that can be declared, and those of the configuration. */
  readonly providers: ReadonlySet<string>;
  /** Names that providers have listed themselves, or that credentials name. */
  readonly isListed?: ((provider: string, model: string) => boolean) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What is to be said of patterns of models. */
interface PatternNotes {
  /** Patterns that match no known model, and what was probably meant. */
  readonly unknown: readonly { readonly pattern: string; readonly similar: string | undefined }[];
  /** Patterns of models whose price is unknown. */
  readonly unpriced: readonly string[];
}

/** Judges patterns by what is known. A provider of whose models nothing is known may have any. */
export function judgePatterns(patterns: readonly string[], knowledge: KnownModels): PatternNotes {
  const unknown: { pattern: string; similar: string | undefined }[] = [];
  const unpriced: string[] = [];
  for (const pattern of new Set(patterns)) {
    const verdict = pattern.endsWith("*") ? judgeBeginning(pattern, knowledge) : judgeName(pattern, knowledge);
    if (verdict === "unpriced") unpriced.push(pattern);
    // Comparing names is slow, and no more than these are shown.
    if (verdict === "unknown")
      unknown.push({ pattern, similar: unknown.length < mostShown ? findMeant(pattern, knowledge) : undefined });
  }
  return { unknown, unpriced };
}

type PatternVerdict = "known" | "unpriced" | "unknown";

/** `*`, `openai/*`, `openrouter/meta-llama/*`. */
function judgeBeginning(pattern: string, { prices, providers, now }: KnownModels): PatternVerdict {
  const slash = pattern.indexOf("/");
  if (slash < 0) return "known";
  const [provider, beginning] = pattern
    .slice(0, -1)
    .toLowerCase()
    .split(/\/(.*)/s) as [string, string]; // it has a slash
  const models = prices.list(now, provider);
  if (models.length === 0) return providers.has(provider) ? "unpriced" : "unknown";
  const meant = models.filter(({ model }) => model.toLowerCase().startsWith(beginning));
  if (meant.length === 0) return "unknown";
  return meant.some(({ rates }) => rates) ? "known" : "unpriced";
}

/** Providers whose models bear names that their customers give them. */
const namesOfCustomers: ReadonlySet<string> = new Set(["azure", "baseten", "databricks"]);

function judgeName(pattern: string, { prices, providers, isListed, now }: KnownModels): PatternVerdict {
  const { provider, model } = parseModelName(pattern) ?? { provider: "", model: pattern };
  const own = prices.find(provider, model, now);
  if (own) return own.rates ? "known" : "unpriced";
  const isOpen = providers.has(provider) && prices.list(now, provider).length === 0;
  if (isOpen || namesOfCustomers.has(provider) || isListed?.(provider, model)) return "unpriced";
  const elsewhere = [...providers].flatMap((each) => prices.find(each, pattern, now) ?? []);
  if (elsewhere.length === 0) return "unknown";
  return elsewhere.some(({ rates }) => rates) ? "known" : "unpriced";
}

function findMeant(pattern: string, { prices, providers, now }: KnownModels): string | undefined {
  const slash = pattern.indexOf("/");
  const provider = slash < 0 ? undefined : pattern.slice(0, slash);
  if (provider !== undefined && !providers.has(provider)) {
    const similar = findSimilar(provider, providers);
    return similar && `${similar}${pattern.slice(slash)}`;
  }
  const models = prices
    .list(now, provider)
    .map(({ model }) => (provider === undefined ? model : `${provider}/${model}`));
  return findSimilar(pattern, models);
}

/** Shown of each kind, before there are too many. */
const mostShown = 8;

/** The notes as sentences for the operator. */
export function writeNotes({ unknown, unpriced }: PatternNotes): string[] {
  const meant = unknown.slice(0, mostShown).map(({ pattern, similar }) => {
    const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
    return `${pattern} matches no known model.${hint}`;
  });
  if (unknown.length > mostShown) meant.push(`${unknown.length - mostShown} more patterns match no known model.`);
  if (unpriced.length === 0) return meant;
  const more = unpriced.length > mostShown ? ` and ${unpriced.length - mostShown} more` : "";
  const names = `${unpriced.slice(0, mostShown).join(", ")}${more}`;
  return [...meant, `No price is known of ${names}: hard budgets refuse such calls, unless \`prices\` states it.`];
}
