import type { Rates } from "../../../api/rates.ts";
import { GatewayError } from "../../../errors.ts";
import type { PortalAiCostRates } from "../../../operations/portal/tenancy/ai-resources.ts";
import type { ModelFacts, Prices } from "../../../ports/prices.ts";
import { formatModelName, parseModelName } from "../../../routing/model-name.ts";
import type { PortalDeps } from "../../area.ts";
import type { AreaBackend } from "../../regions.ts";
import { upliftsOf } from "../../tariff/tariff.ts";
import { read } from "../../tenancy/record-access.ts";
import { notFoundAs, readProject } from "../find.ts";
import { readPeriod } from "./period.ts";
import { readSpent } from "./spending.ts";

/** The cost of keys and projects according to the ledger, and the rates of models. */
export function costsOf(deps: PortalDeps) {
  const { ledger, tariff } = deps;
  return {
    async keyCost({ key_id, ...period }, { records, now }) {
      const { metadata } = await read(records, "key", key_id);
      const uplifts = upliftsOf(tariff, metadata);
      const question = { period: readPeriod(period, now), filters: { key_id }, uplifts };
      const tier = tariff.tiers.find(({ name }) => name === metadata.tier);
      return { ...(await readSpent(ledger, question)), key_price: tier?.key_price ?? 0 };
    },
    async projectCost({ ai_project_id, ...period }, call) {
      const { id, metadata } = await readProject(call, ai_project_id);
      const uplifts = upliftsOf(tariff, metadata);
      return readSpent(ledger, { period: readPeriod(period, call.now), filters: { project_id: id }, uplifts });
    },
    rates({ model }, { now }) {
      const { prices } = deps.engine.offers;
      if (model !== undefined) return findRates(prices, model, now);
      return Object.fromEntries(prices.list(now).flatMap((facts) => (facts.rates ? [showRates(facts)] : [])));
    },
  } satisfies AreaBackend<"ai">;
}

function showRates(facts: ModelFacts): [string, PortalAiCostRates] {
  return [formatModelName(facts), toPortalRates(facts.rates ?? {})];
}

function findRates(prices: Prices, model: string, now: number): PortalAiCostRates {
  const name = parseModelName(model);
  if (!name)
    throw new GatewayError("invalid_request", "`model`: must be a full model name, `provider/model`.", {
      param: "model",
    });
  const rates = prices.find(name.provider, name.model, now)?.rates;
  if (!rates) throw notFoundAs("known price of the model", { id: model, param: "model" });
  return toPortalRates(rates);
}

/** Rates in the portal's form, where the fee of a search is one number: that of a context of medium size. */
function toPortalRates({ search_context_cost_per_query: fee, ...rates }: Rates): PortalAiCostRates {
  const { search_context_size_medium, search_context_size_high, search_context_size_low } =
    typeof fee === "object" ? fee : { search_context_size_medium: fee };
  const search = search_context_size_medium ?? search_context_size_high ?? search_context_size_low;
  return { ...rates, ...(search === undefined ? {} : { search_context_cost_per_query: search }) };
}
