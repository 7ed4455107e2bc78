import type { Rates } from "../../api/rates.ts";

/** The variants that the name of a service tier picks; every other name is the standard service. */
const serviceSuffixes: Readonly<Record<string, string>> = {
  priority: "_priority",
  flex: "_flex",
  batch: "_batches",
  batches: "_batches",
  decisions: "_decisions",
  ultrafast: "_ultrafast",
};

/** The tier of the vendors' own interfaces for decisions, which no request can ask for. */
export const decisionTier = "decisions";

/** Every service tier that may have rates of its own. */
export const serviceTiers: readonly string[] = Object.keys(serviceSuffixes);

/** The service tiers that a vendor may choose where the request leaves it open; the others are served only when asked for. */
export const automaticTiers: readonly string[] = ["priority", "flex", "batch"];

/** The ending of rates' names that a service tier picks; empty for the standard service and for names that mean nothing. */
export function serviceSuffix(serviceTier: string | null | undefined): string {
  return serviceTier ? (serviceSuffixes[serviceTier] ?? "") : "";
}

/** Names by which vendors call the standard service, or leave the choice to themselves. */
const standardNames: ReadonlySet<string> = new Set(
  "auto default standard standard_only on_demand scale unspecified service_tier_unspecified".split(" "),
);

/** Providers whose other tiers cost what the standard one does: they differ in what is served first, not in price. */
const tiersAtStandardPrice: Readonly<Record<string, readonly string[]>> = { groq: ["flex", "performance"] };

/** The service tier as which a provider bills a request; `undefined` for the standard one. */
export function billedTier(provider: string, serviceTier: string | null | undefined): string | undefined {
  const tier = serviceTier?.toLowerCase();
  if (!tier || standardNames.has(tier) || tiersAtStandardPrice[provider]?.includes(tier)) return undefined;
  return tier;
}

// Rates are frozen values: what is derived from them lives exactly as long.
const known = new WeakMap<Rates, Map<string, boolean>>();

/** True where a service tier is the standard one, or the model states a rate for it, or costs nothing at all. */
export function hasTier(rates: Rates, serviceTier: string | null | undefined): boolean {
  const tier = billedTier("", serviceTier);
  if (tier === undefined) return true;
  const tiers = known.get(rates) ?? new Map<string, boolean>();
  known.set(rates, tiers);
  const found = tiers.get(tier);
  if (found !== undefined) return found;
  const isStated = statesTier(rates, serviceSuffix(tier));
  if (serviceSuffix(tier) !== "") tiers.set(tier, isStated); // other names are the vendor's: without end
  return isStated;
}

function statesTier(rates: Rates, suffix: string): boolean {
  if (suffix !== "" && Object.keys(rates).some((name) => name.endsWith(suffix))) return true;
  return Object.values(rates).every((rate) => rate === 0);
}
