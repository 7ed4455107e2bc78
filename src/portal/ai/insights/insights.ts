import type { AiTargetHealth, AiTier } from "../../../operations/portal/tenancy/ai/insights.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { tiersFor } from "../../tariff/tariff.ts";
import { tenantOf } from "../../tenancy/tenant.ts";
import { liveOf } from "../live/live.ts";
import { requestsOf } from "../requests/requests.ts";
import { usageOf } from "./cache.ts";
import { limitsOf } from "./limits.ts";
import { explainPlan } from "./plan.ts";
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
