import { GatewayError, isGatewayError } from "../../../engine/errors.ts";
import type { ModelFacts, Prices } from "../../../engine/ports/prices.ts";
import { formatModelName, parseModelName } from "../../../engine/routing/model-name.ts";
import type { AiPriceSync, AiPrices } from "../../../operations/portal/tenancy/ai/prices.ts";
import type { PortalAiCostRates } from "../../../operations/portal/tenancy/ai/resources.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { notFoundAs } from "../find.ts";
import { listModelPrices, toPortalRates } from "./model-prices.ts";
import { ownPricesOf } from "./own-prices.ts";
import { priceReason, refuseTenants } from "./provider-only.ts";

/** What models cost, and the price lists, which only the provider reads and renews: they decide what all tenants pay. */
export function pricesOf(deps: PortalDeps) {
  return {
    prices: (_input, call) => showPrices(deps, call),
    rates({ model }, { now }) {
      const { prices } = deps.engine.offers;
      if (model !== undefined) return findRates(prices, model, now);
      return Object.fromEntries(prices.list(now).flatMap((facts) => (facts.rates ? [showRates(facts)] : [])));
    },
    modelPrices: (input, call) => listModelPrices(deps.engine.offers.prices, input, call.now),
    ...ownPricesOf(deps),
    syncPrices: (_input, call) => syncPrices(deps, call),
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

function showPrices({ engine, priceSource }: PortalDeps, call: PortalCall): AiPrices {
  refuseTenants(call, priceReason);
  const { prices } = engine.offers;
  const models = prices.list(call.now);
  const { sources = [], warnings = [], synced_at, failure } = priceSource?.state() ?? {};
  return {
    version: prices.version,
    sources: [...sources],
    models: models.length,
    unpriced_models: models.filter(({ rates }) => rates === undefined).length,
    ...(synced_at === undefined ? {} : { synced_at: new Date(synced_at).toISOString() }),
    ...(failure ? { failure: { at: new Date(failure.at).toISOString(), message: failure.message } } : {}),
    warnings: [...warnings],
  };
}

async function syncPrices({ priceSource }: PortalDeps, call: PortalCall): Promise<AiPriceSync> {
  refuseTenants(call, priceReason);
  if (priceSource?.sync) return priceSource.sync().catch(toConflict);
  const message =
    "No price list is configured that can be read again. Set `prices` of the configuration to a JSON or YAML file, or to an address.";
  throw new GatewayError("invalid_request", message, { param: "prices" });
}

/** A list that cannot be used is no fault of the request: the former prices stay, and the caller sees why. */
function toConflict(thrown: unknown): never {
  if (!isGatewayError(thrown) || thrown.code !== "invalid_configuration") throw thrown;
  throw new GatewayError("conflict", `The prices stay as they are: ${thrown.message}`, { cause: thrown });
}
