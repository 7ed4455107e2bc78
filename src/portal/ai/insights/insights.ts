import { GatewayError } from "../../../engine/errors.ts";
import { priceUsage } from "../../../engine/metering/cost.ts";
import { toDollars } from "../../../engine/metering/money.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiPlan, AiTargetHealth, AiTier } from "../../../operations/portal/tenancy/ai/insights.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { tiersFor } from "../../tariff/tariff.ts";
import { tenantOf } from "../../tenancy/tenant.ts";
import { notFoundAs } from "../find.ts";
import { liveOf } from "../live/live.ts";
import { requestsOf } from "../requests/requests.ts";
import { usageOf } from "./cache.ts";
import { limitsOf } from "./limits.ts";
import { createTargetCounter, type TargetCounter } from "./target-stats.ts";

/** Requests, usage, limits, routes and health. */
export function insightsOf(deps: PortalDeps) {
  const counter = createTargetCounter();
  const { engine, clock } = deps;
  engine.on("attempted", ({ target, reason, milliseconds }) =>
    counter.count({ target, isFailure: reason !== "ok", milliseconds }, clock.now()),
  );
  return {
    ...requestsOf(deps),
    ...liveOf(deps),
    ...usageOf(deps),
    tiers: (_input, call) => listTiers(deps, call),
    ...limitsOf(deps),
    plan: (input, call) => explainPlan(deps, input, call),
    health: (_input, { now }) => listHealth(deps, counter, now),
  } satisfies AreaBackend<"ai">;
}

/** Returns the tiers that the caller's tenant may use. */
function listTiers({ tariff }: PortalDeps, { caller }: PortalCall): AiTier[] {
  return tiersFor(tariff, tenantOf(caller.scope)).map(({ name, llms, budgets, rate_limits, key_price }) => ({
    name,
    llms: [...llms],
    budgets: [...budgets],
    rate_limits: [...rate_limits],
    key_price,
  }));
}

/** Returns the targets that were asked in the last hour, or have failed before, by name. */
function listHealth({ engine }: PortalDeps, counter: TargetCounter, now: number): AiTargetHealth[] {
  const circuits = new Map(engine.health().map((circuit) => [circuit.target, circuit]));
  const stats = new Map(counter.list(now).map((one) => [one.target, one]));
  const targets = [...new Set([...circuits.keys(), ...stats.keys()])].sort();
  const none = { requests: 0, failures: 0 };
  return targets.map((target) => {
    const circuit = circuits.get(target);
    const calls = stats.get(target);
    const wait = circuit?.retryAfterMs ?? 0;
    const [p50, p95] = [calls?.percentile(0.5), calls?.percentile(0.95)];
    return {
      target,
      state: circuit?.state ?? "closed",
      ...(wait > 0 ? { open_until: new Date(now + wait).toISOString() } : {}),
      failures_in_a_row: circuit?.inARow ?? 0,
      last_5_minutes: calls?.recent ?? none,
      last_hour: calls?.hour ?? none,
      ...(p50 === undefined ? {} : { latency_p50: p50 }),
      ...(p95 === undefined ? {} : { latency_p95: p95 }),
    };
  });
}

type PlanInput = InputOf<Areas["ai"]["plan"]>;

/**
 * Returns the route that a request of a key would take. Without a key it is that of the trusted caller, which only the provider level may
 * ask for. Throws the refusal that a call of the key would get.
 */
async function explainPlan({ engine }: PortalDeps, input: PlanInput, call: PortalCall): Promise<AiPlan> {
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
