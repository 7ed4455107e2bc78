import type { LimitUsage } from "../../../engine/policy/limit-usage.ts";
import type { InputOf } from "../../../operations/calls.ts";
import type { Areas } from "../../../operations/portal/table.ts";
import type { AiLimit } from "../../../operations/portal/tenancy/ai/insights.ts";
import type { PortalDeps } from "../../area.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { contains, isAbove, scopeOf } from "../../tenancy/tenant-scope.ts";
import { findLimited, type LimitedRecord } from "./find-limited.ts";
import { resetLimitsOf } from "./reset-limits.ts";

type LimitsInput = InputOf<Areas["ai"]["limits"]>;

/** How limits stand, and their resets. */
export function limitsOf(deps: PortalDeps) {
  return {
    limits: (input, call) => readLimitChain(deps, input, call),
    resetLimits: (input, call) => resetLimitsOf(deps, input, call),
  } satisfies AreaBackend<"ai">;
}

/** Returns every limit on the way of a key, or those of a project or a customer, from the bottom up. */
async function readLimitChain(deps: PortalDeps, input: LimitsInput, call: PortalCall): Promise<AiLimit[]> {
  return showLimits(deps, await findLimited(input, call), call);
}

/** Returns the limits of a record as the caller sees them. */
async function showLimits(deps: PortalDeps, { kind, id }: LimitedRecord, call: PortalCall): Promise<AiLimit[]> {
  const limits = await deps.engine.usage.limits(id, kind);
  const names = new Map<string, string | undefined>();
  for (const { level, owner } of limits)
    if (!names.has(owner)) names.set(owner, level === "entry" ? undefined : await nameOf(deps, call, { level, owner }));
  return limits.map((limit) => showLimit(limit, names.get(limit.owner)));
}

/** Returns the name of an owner that the caller sees. */
async function nameOf(
  { records }: PortalDeps,
  { caller: { scope } }: PortalCall,
  { level, owner }: Pick<LimitUsage, "owner"> & { readonly level: "key" | "project" | "customer" },
): Promise<string | undefined> {
  const record = (await records.get(level, owner))?.record;
  if (!record) return undefined;
  const at = scopeOf(level, record);
  return contains(scope, at) || isAbove(at, scope) ? record.name : undefined;
}

function showLimit({ level, owner, unit, resets_at, ...limit }: LimitUsage, name?: string): AiLimit {
  const { max, used, reserved, left, duration, is_calendar, is_hard, is_used_up } = limit;
  return {
    ...{ level, owner: { id: owner, ...(name === undefined ? {} : { name }) }, unit },
    ...{ max, used, reserved, left, duration, is_calendar, is_hard, is_used_up },
    ...(resets_at === undefined ? {} : { resets_at: new Date(resets_at).toISOString() }),
  };
}
