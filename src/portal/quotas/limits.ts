import { GatewayError } from "../../engine/errors.ts";
import type { StoredQuota } from "../../operations/records/quotas.ts";

/** The holder of a quota: provider ⊃ reseller ⊃ client ⊃ resource. A resource may also belong directly to a level above a client. */
export interface QuotaScope {
  readonly reseller: string | null;
  readonly client_id: string | null;
  readonly resource_id: string | null;
}

/** A quota of a scope in a region. */
export interface QuotaKey {
  readonly region: string;
  readonly quota: string;
  readonly scope: QuotaScope;
}

/** Returns the id of a quota's record: one for each scope, region and quota. */
export function quotaId({ region, quota, scope }: QuotaKey): string {
  return JSON.stringify([region, quota, scope.reseller, scope.client_id, scope.resource_id]);
}

/** Returns the scope whose limit is shared out to this one; undefined for the provider's. */
export function parentScope({ reseller, client_id, resource_id }: QuotaScope): QuotaScope | undefined {
  if (resource_id !== null) return { reseller, client_id, resource_id: null };
  if (client_id !== null) return { reseller, client_id: null, resource_id: null };
  return reseller === null ? undefined : { reseller: null, client_id: null, resource_id: null };
}

/** Returns a new record without a limit. Only the provider's level stays without one. */
export function emptyQuota({ region, quota, scope }: QuotaKey, created_at: string): StoredQuota {
  return { id: quotaId({ region, quota, scope }), created_at, ...scope, region, quota, limit: null, allotted: {} };
}

/** Returns the record with another limit. Throws `conflict` for a limit below what is used or allotted to lower levels. */
export function withLimit(record: StoredQuota, limit: number, used: number): StoredQuota {
  const { quota } = record;
  if (limit < used) throw conflict(`The limit of \`${quota}\` cannot be ${limit}: ${used} are in use.`);
  const allotted = sumOf(record.allotted);
  if (limit < allotted)
    throw conflict(`The limit of \`${quota}\` cannot be ${limit}: ${allotted} are allotted to lower levels.`);
  return { ...record, limit };
}

/**
 * Returns the parent's record after `amount` is allotted to the child `id`; undefined removes its allotment. Throws `conflict` where the
 * parent has no limit, and `quota_exceeded` where the allotments would exceed it.
 */
export function withAllotment(parent: StoredQuota, id: string, amount: number | undefined): StoredQuota {
  const { [id]: _former, ...others } = parent.allotted;
  if (amount === undefined) return { ...parent, allotted: others };
  const { quota, limit, reseller } = parent;
  if (limit === null && reseller !== null) throw withoutParent(quota);
  const left = limit === null ? Number.POSITIVE_INFINITY : limit - sumOf(others);
  if (amount <= left) return { ...parent, allotted: { ...others, [id]: amount } };
  const message = `The limit of \`${quota}\` cannot be ${amount}: the level above has ${Math.max(0, left)} left to allot.`;
  throw new GatewayError("quota_exceeded", message, { param: "limit" });
}

/** The error of a limit that no level above gives. */
export function withoutParent(quota: string): GatewayError {
  return conflict(`The level above has no limit for \`${quota}\`. Set that limit first.`);
}

/** True for a scope without a limit of its own. */
export function isUnlimited(record: StoredQuota | undefined): boolean {
  return (record?.limit ?? null) === null;
}

/** Returns the sum of allotments. */
export function sumOf(amounts: Readonly<Record<string, number>>): number {
  return Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
}

function conflict(message: string): GatewayError {
  return new GatewayError("conflict", message, { param: "limit" });
}
