import type { StoredQuota } from "../../api/portal/quotas.ts";
import type { Records } from "../../ports/records.ts";
import { readAll, write } from "../shelf.ts";
import { emptyQuota, parentPlace, type QuotaKey, quotaId, withAllotment, withLimit } from "./limits.ts";

/** A limit to set. */
export interface Wish {
  readonly key: QuotaKey;
  readonly limit: number;
  /** What is used of it. */
  readonly used: number;
  /** RFC 3339 in UTC. */
  readonly now: string;
}

/** A limit that was set, and how to take it back. */
export interface LimitSet {
  readonly record: StoredQuota;
  undo(): Promise<void>;
}

/**
 * Sets a limit. The parent's record holds what it has given to each below it and is written first when more is given, last when less,
 * so that limits never add up beyond the parent's, whatever is set beside it at the same time, and wherever this is cut off. Limits of
 * one place are set one after the other. Throws `conflict` and `quota_exceeded`, and then nothing is changed.
 */
export async function setLimit(records: Records, { key, limit, used, now }: Wish): Promise<LimitSet> {
  const id = quotaId(key);
  const present = (await records.get("quota", id))?.record;
  const before = present?.limit ?? undefined;
  withLimit(present ?? emptyQuota(key, now), limit, used); // what cannot be is refused before anything is written
  const allot = (amount: number | undefined) => allotAbove(records, key, { amount, now });
  if (before === undefined || limit > before) await allot(limit);
  const record = await write(records, "quota", {
    id,
    by: (stored) => withLimit(stored ?? emptyQuota(key, now), limit, used),
  }).catch(async (thrown) => {
    await allot(before);
    throw thrown;
  });
  if (before !== undefined && limit < before) await allot(limit);
  return {
    record,
    async undo() {
      if (before !== undefined) return void (await setLimit(records, { key, limit: before, used: 0, now }));
      if (present) await write(records, "quota", { id, by: (stored) => ({ ...(stored ?? present), limit: null }) });
      else await records.remove("quota", id);
      await allot(undefined);
    },
  };
}

/** A resource that is no more. */
interface Gone {
  readonly region: string;
  readonly resource_id: string;
  /** RFC 3339 in UTC. */
  readonly now: string;
}

/** Takes away the limits of a resource, and gives what they had back to the levels above. */
export async function releaseResource(records: Records, { region, resource_id, now }: Gone): Promise<void> {
  const limits = (await readAll(records, "quota", { region })).filter((one) => one.resource_id === resource_id);
  for (const { id, quota, reseller, client_id } of limits) {
    await records.remove("quota", id);
    const key = { region, quota, place: { reseller, client_id, resource_id } };
    await allotAbove(records, key, { amount: undefined, now });
  }
}

interface Allotment {
  readonly amount: number | undefined;
  readonly now: string;
}

async function allotAbove(records: Records, key: QuotaKey, { amount, now }: Allotment): Promise<void> {
  const place = parentPlace(key.place);
  if (!place) return;
  const above = { ...key, place };
  await write(records, "quota", {
    id: quotaId(above),
    by: (stored) => withAllotment(stored ?? emptyQuota(above, now), quotaId(key), amount),
  });
}
