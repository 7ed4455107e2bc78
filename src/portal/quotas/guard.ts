import { GatewayError } from "../../engine/errors.ts";
import type { RowKey } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { contains, scopeOf, toScope } from "../tenancy/tenant-scope.ts";
import { type CountedOperation, countedOperation } from "./counted-operations.ts";
import { parentScope, type QuotaScope, quotaId } from "./limits.ts";
import { scopeOfOwner } from "./scope.ts";
import { countedQuotas, createUsage } from "./usage.ts";

/** An operation that is about to run. */
export interface GuardedOperation {
  readonly key: RowKey;
  /** The input, as the row's schema has accepted it. */
  readonly input: never;
  readonly call: PortalCall;
}

/** Runs the work unless it would exceed a quota. */
export type QuotaGuard = (operation: GuardedOperation, work: () => unknown) => Promise<unknown>;

/**
 * Returns the guard, which throws `quota_exceeded` where a limit of the new thing's scope, or of a level above, is reached. Each quota has
 * its own lease: what one quota limits is created one after the other, across processes, and waits for no other quota.
 */
export function createQuotaGuard({ records }: Pick<PortalDeps, "records">): QuotaGuard {
  return async ({ key, input, call }, work) => {
    const counted = countedOperation(key);
    if (!counted || !Object.hasOwn(countedQuotas, counted.quota)) return work();
    const { quota } = counted;
    const query = { quota, scope: await scopeOfOwner(counted.ownerOf(input), call), region: call.region };
    if ((await limitsAt(records, query)).length === 0) return work();
    return call.withLease(`limited/${quota}`, async () => {
      const used = createUsage({ records, call, source: undefined });
      const countsAlready = await presentCount(counted, input, call);
      const limits = (await limitsAt(records, query)).filter(({ scope }) => !countsAlready(scope)); // read again inside the lease
      for (const { scope, limit } of limits) if ((await used(quota, scope)) >= limit) throw exceeded(quota, limit);
      return work();
    });
  };
}

interface GuardedLimit {
  readonly scope: QuotaScope;
  readonly limit: number;
}

/** The limits of a quota at a scope and above it. */
async function limitsAt(
  records: PortalDeps["records"],
  { quota, scope, region }: { readonly quota: string; readonly scope: QuotaScope; readonly region: string },
): Promise<GuardedLimit[]> {
  const found: GuardedLimit[] = [];
  for (let at: QuotaScope | undefined = scope; at; at = parentScope(at)) {
    const limit = (await records.get("quota", quotaId({ region, quota, scope: at })))?.record.limit ?? null;
    if (limit !== null) found.push({ scope: at, limit });
  }
  return found;
}

/** Tells whether what an operation moves already counts in a scope; something new counts in none. */
async function presentCount(
  { movedKeyOf }: CountedOperation<never>,
  input: never,
  { records }: PortalCall,
): Promise<(scope: QuotaScope) => boolean> {
  const key = movedKeyOf && (await records.get("key", movedKeyOf(input)));
  if (!key) return () => false;
  const present = scopeOf("key", key.record);
  return ({ reseller, client_id }) => contains(toScope({ reseller, client_id }), present);
}

function exceeded(quota: string, limit: number): GatewayError {
  return new GatewayError(
    "quota_exceeded",
    `The quota \`${quota}\` is reached: its limit is ${limit}. Delete something it counts, or have the limit raised.`,
    {
      param: quota,
    },
  );
}
