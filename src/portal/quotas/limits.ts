import type { StoredQuota } from "../../api/portal/quotas.ts";
import { GatewayError } from "../../errors.ts";

/** What a quota is of: provider ⊃ reseller ⊃ client ⊃ resource; a resource may also stand right under the levels above a client. */
export interface QuotaPlace {
  readonly reseller: string | null;
  readonly client_id: string | null;
  readonly resource_id: string | null;
}

/** A quota of a place in a region. */
export interface QuotaKey {
  readonly region: string;
  readonly quota: string;
  readonly place: QuotaPlace;
}

/** The id of a quota's record: one per place, region and quota. */
export function quotaId({ region, quota, place }: QuotaKey): string {
  return JSON.stringify([region, quota, place.reseller, place.client_id, place.resource_id]);
}

/** The place whose limit a place's own comes out of; undefined for the provider's. */
export function parentPlace({ reseller, client_id, resource_id }: QuotaPlace): QuotaPlace | undefined {
  if (resource_id !== null) return { reseller, client_id, resource_id: null };
  if (client_id !== null) return { reseller, client_id: null, resource_id: null };
  return reseller === null ? undefined : { reseller: null, client_id: null, resource_id: null };
}

/** A new record without a limit, which only the provider's level keeps. */
export function emptyQuota({ region, quota, place }: QuotaKey, created_at: string): StoredQuota {
  return { id: quotaId({ region, quota, place }), created_at, ...place, region, quota, limit: null, allotted: {} };
}

/** A record with another limit. Throws `conflict` for a limit under what is used, or under what those below have. */
export function withLimit(record: StoredQuota, limit: number, used: number): StoredQuota {
  const { quota } = record;
  if (limit < used) throw conflict(`${used} of \`${quota}\` are used: the limit cannot be ${limit}.`);
  const given = sumOf(record.allotted);
  if (limit < given) throw conflict(`${given} of \`${quota}\` are given to those below: the limit cannot be ${limit}.`);
  return { ...record, limit };
}

/**
 * The parent's record when one of those below it has `amount`; undefined takes it away. Throws `conflict` where the parent has no limit
 * to give of, `quota_exceeded` when they would add up beyond it.
 */
export function withAllotment(parent: StoredQuota, id: string, amount: number | undefined): StoredQuota {
  const { [id]: _former, ...others } = parent.allotted;
  if (amount === undefined) return { ...parent, allotted: others };
  const { quota, limit, reseller } = parent;
  if (limit === null && reseller !== null)
    throw conflict(`\`${quota}\` has no limit at the level above yet: set that first.`);
  const left = limit === null ? Number.POSITIVE_INFINITY : limit - sumOf(others);
  if (amount <= left) return { ...parent, allotted: { ...others, [id]: amount } };
  const message = `The limit of \`${quota}\` cannot be ${amount}: the level above has ${Math.max(0, left)} left to give.`;
  throw new GatewayError("quota_exceeded", message, { param: "limit" });
}

function sumOf(amounts: Readonly<Record<string, number>>): number {
  return Object.values(amounts).reduce((sum, amount) => sum + amount, 0);
}

function conflict(message: string): GatewayError {
  return new GatewayError("conflict", message, { param: "limit" });
}
