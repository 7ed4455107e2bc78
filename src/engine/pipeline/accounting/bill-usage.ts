import type { Usage } from "../../api/usage.ts";
import { sumBills } from "../../metering/bill-sum.ts";
import { billRouted, billSubstitute, billVendor } from "../../metering/bills/other-bills.ts";
import { vendorCost } from "../../metering/bills/vendor-cost.ts";
import { type Bill, type BilledUsage, priceUsage } from "../../metering/cost.ts";
import { isRouter } from "../../metering/fees/routers.ts";
import { billsSearchByPrompt } from "../../metering/fees/search-billing.ts";
import { billedTier } from "../../metering/fees/service-tiers.ts";
import type { SearchContextSize } from "../../metering/rates.ts";
import type { ModelFacts } from "../../ports/prices.ts";
import type { Target } from "../../routing/plan.ts";
import type { Call } from "../call/call.ts";
import type { Consumption, PricedTarget } from "./ledger-line.ts";
import { factsOf } from "./target-facts.ts";

/**
 * What was spent, as a bill; `undefined` without usage or without a known price. What the vendor says that the answer cost is the bill;
 * else the price of the model applies, or that of the model which a router chose, at the place and the tier that served.
 */
export function priceOf(call: Call, priced: PricedTarget, consumption: Consumption): Bill | undefined {
  const { usage } = consumption;
  if (!usage) return undefined;
  const own = billTarget(call, priced, consumption);
  const stated = statedCost(call, priced.target, consumption);
  if (stated) return billVendor(stated, own);
  if (own || !priced.substitute) return own;
  return billSubstitute({ usage }, priced.substitute);
}

function statedCost(call: Call, { provider }: Target, { usage, parts, isEstimated, statedCost: ofHead }: Consumption) {
  if (!usage || !call.ports.providers.get(provider)?.billing?.reportsCost) return undefined;
  if (isEstimated) return ofHead === undefined ? undefined : vendorCost({ ...usage, upstream_cost: ofHead });
  const costs = (parts ?? [usage]).map(vendorCost);
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length < costs.length) return undefined;
  if (known.length === 1) return known[0];
  return { total: known.reduce((sum, { total }) => sum + total, 0), parts: {} };
}

function billTarget(call: Call, { facts, target, at }: PricedTarget, consumption: Consumption): Bill | undefined {
  const { servedModel, usage } = consumption;
  const geo = usage?.inference_geo;
  const servedIn = typeof geo === "string" ? geo : undefined;
  const present = servedIn === undefined ? facts : factsOf(call, target, { at, servedIn });
  const isRouted = isRouter(target.model);
  const own = billAt(call, { target, facts: present }, consumption);
  if (!servedModel || servedModel === target.model || (present?.rates && !isRouted)) {
    return isRouted ? billRouted(own, undefined) : own;
  }
  const served = { ...target, model: servedModel };
  const other = billAt(call, { target: served, facts: factsOf(call, served, { at, servedIn }) }, consumption);
  return isRouted ? billRouted(own, other) : other;
}

/** A model, and what is known of it. */
type KnownTarget = Pick<PricedTarget, "target" | "facts">;

function billAt(
  call: Call,
  { target, facts }: KnownTarget,
  { usage, parts, serviceTier }: Consumption,
): Bill | undefined {
  if (!usage || !facts?.rates) return undefined;
  const { rates } = facts;
  const tier = billedTier(facts.provider, serviceTier);
  if (parts) return sumBills(parts.map((part) => priceUsage({ usage: part, serviceTier: tier }, rates)));
  return priceUsage({ usage, serviceTier: tier, ...countsOf(facts, usage), ...searchOf(call, target, usage) }, rates);
}

/** A grounded answer counts once where the vendor bills it so. */
function countsOf({ model }: ModelFacts, { completion_tokens_details: details }: Usage): Pick<BilledUsage, "counts"> {
  const searches = details?.num_search_queries ?? 0;
  return searches > 1 && billsSearchByPrompt(model) ? { counts: { search_queries: 1 } } : {};
}

/** What is read of a request for web search; vendors assume a medium context by default. */
interface WebSearch {
  readonly search_context_size?: SearchContextSize;
}

function searchOf(call: Call, { provider }: Target, usage: Usage): { searchContextSize?: SearchContextSize } {
  const request: { web_search_options?: WebSearch } = call.facts?.request ?? {};
  const search = request.web_search_options;
  if (!search) return {};
  const isReported = usage.completion_tokens_details?.num_search_queries !== undefined;
  if (!isReported && call.ports.providers.get(provider)?.reportsSearches) return {};
  return { searchContextSize: search.search_context_size ?? "medium" };
}
