import { GatewayError } from "../../../engine/errors.ts";
import { priceUsage } from "../../../engine/metering/cost.ts";
import { toDollars } from "../../../engine/metering/money.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiPlan } from "../../../operations/portal/tenancy/ai/insights.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import { notFoundAs } from "../find.ts";

type PlanInput = InputOf<Areas["ai"]["plan"]>;

/**
 * Returns the route that a request of a key would take. Without a key it is that of the trusted caller, which only the provider level may
 * ask for. Throws the refusal that a call of the key would get.
 */
export async function explainPlan({ engine }: PortalDeps, input: PlanInput, call: PortalCall): Promise<AiPlan> {
  const { key_id, prompt_tokens, completion_tokens = 0, verb, ...request } = input;
  const options = { verb };
  if (key_id === undefined && call.caller.scope.reseller !== undefined)
    throw new GatewayError("invalid_request", "`key_id`: is required below the provider level.", { param: "key_id" });
  if (key_id !== undefined && !(await call.records.get("key", key_id)))
    throw notFoundAs("key", { id: key_id, param: "key_id" });
  const route = key_id === undefined ? engine.plan(request, options) : await engine.planForId(key_id, request, options);
  const costOf = (provider: string, model: string) => {
    const rates = prompt_tokens === undefined ? undefined : engine.offers.prices.find(provider, model, call.now)?.rates;
    if (prompt_tokens === undefined || !rates) return undefined;
    const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
    return priceUsage({ usage }, rates)?.total;
  };
  return {
    targets: route.targets.map(({ provider, model, name: target }) => {
      const cost = costOf(provider, model);
      return { target, provider, model, ...(cost === undefined ? {} : { expected_cost: toDollars(cost) }) };
    }),
    skipped: route.skipped.map(({ entry, reason, message }) => ({ entry, reason, message })),
    ...(route.rule === undefined ? {} : { rule: route.rule }),
  };
}
