import type { Rates } from "../../../engine/api/rates.ts";
import { present } from "../../../engine/policy/drafts.ts";
import type { ModelFacts, Prices } from "../../../engine/ports/prices.ts";
import { formatModelName } from "../../../engine/routing/model-name.ts";
import type { AiModelPrice } from "../../../operations/portal/tenancy/ai/prices.ts";
import type { PortalAiCostRates } from "../../../operations/portal/tenancy/ai/resources.ts";

/** Which models of the price list: those of a provider, of a mode, with a price or without. */
export interface ModelPriceFilter {
  readonly provider?: string | undefined;
  readonly mode?: string | undefined;
  readonly is_priced?: boolean | undefined;
}

/** Lists the known models with their rates at a time, by name. */
export function listModelPrices(prices: Prices, filter: ModelPriceFilter, now: number): AiModelPrice[] {
  const { provider, mode, is_priced } = filter;
  return prices
    .list(now, provider)
    .filter((facts) => mode === undefined || facts.mode === mode)
    .filter(({ rates }) => is_priced === undefined || is_priced === (rates !== undefined))
    .map(showModelPrice)
    .sort((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
}

function showModelPrice(facts: ModelFacts): AiModelPrice {
  const { provider, model, mode, context_length, max_input_tokens, max_output_tokens, rates } = facts;
  const known = present({ mode, context_length, max_input_tokens, max_output_tokens });
  const names = { id: formatModelName(facts), provider, model };
  return { ...names, ...known, is_priced: rates !== undefined, ...toPortalRates(rates ?? {}) };
}

/** Rates in the portal's form, where the fee of a search is one number: that of a context of medium size. */
export function toPortalRates({ search_context_cost_per_query: fee, ...rates }: Rates): PortalAiCostRates {
  const { search_context_size_medium, search_context_size_high, search_context_size_low } =
    typeof fee === "object" ? fee : { search_context_size_medium: fee };
  const search = search_context_size_medium ?? search_context_size_high ?? search_context_size_low;
  return { ...rates, ...(search === undefined ? {} : { search_context_cost_per_query: search }) };
}
