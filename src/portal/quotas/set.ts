import type { Records } from "../../engine/ports/records.ts";
import type { StoredQuota } from "../../operations/records/quotas.ts";
import { readAll, write } from "../tenancy/record-access.ts";
import { emptyQuota, parentScope, type QuotaKey, quotaId, withAllotment, withLimit } from "./limits.ts";

/** A limit to set. */
export interface LimitRequest {
  readonly key: QuotaKey;
  readonly limit: number;
  /** The present usage. */
  readonly used: number;
  /** RFC 3339 in UTC. */
  readonly now: string;
}

/** A limit that was set, and a function that restores the former one. */
export interface LimitSet {
  readonly record: StoredQuota;
  undo(): Promise<void>;
}

/**
 * Sets a limit. The parent's record holds the allotment of each child. It is written first when the limit grows and last when it shrinks,
 * so that allotments never exceed the parent's limit, whatever runs concurrently and wherever the process dies. The caller serializes
 * changes of one scope. Throws `conflict` and `quota_exceeded`, and then nothing has changed.
 */
export async function setLimit(records: Records, { key, limit, used, now }: LimitRequest): Promise<LimitSet> {
  const id = quotaId(key);
  const present = (await records.get("quota", id))?.record;
  const before = present?.limit ?? undefined;
  withLimit(present ?? emptyQuota(key, now), limit, used); // refuses an impossible limit before anything is written
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

/** Sets several limits in their order. When one is refused, those before it are taken back. */
export async function setEach(records: Records, requests: readonly LimitRequest[]): Promise<LimitSet[]> {
  const done: LimitSet[] = [];
  try {
    for (const request of requests) done.push(await setLimit(records, request));
    return done;
  } catch (thrown) {
    await undoEach(done);
    throw thrown;
  }
}

async function undoEach(done: readonly LimitSet[]): Promise<void> {
  for (const { undo } of [...done].reverse()) await undo();
}

/**
 * Sets limits of resources around the work that sets them at the services. What grows is allotted before the work, and what shrinks is
 * returned after it: wherever the process dies, the services hold no more than the tree gives. When the work fails, the limits are as
 * they were. Throws as {@link setLimit}, and what the work throws.
 */
export async function setAround<Answer>(
  records: Records,
  requests: readonly LimitRequest[],
  work: () => Promise<Answer>,
): Promise<Answer> {
  const growing: LimitRequest[] = [];
  const shrinking: LimitRequest[] = [];
  for (const request of requests) {
    const present = (await records.get("quota", quotaId(request.key)))?.record;
    if (present === undefined || present.limit === null || request.limit > present.limit) growing.push(request);
    else shrinking.push(request);
    withLimit(present ?? emptyQuota(request.key, request.now), request.limit, request.used);
  }
  const done = await setEach(records, growing);
  let answer: Answer;
  try {
    answer = await work();
  } catch (thrown) {
    await undoEach(done);
    throw thrown;
  }
  await setEach(records, shrinking);
  return answer;
}

/** A resource that was deleted. */
interface Gone {
  readonly region: string;
  readonly resource_id: string;
  /** RFC 3339 in UTC. */
  readonly now: string;
}

/** Removes the limits of a resource and returns their allotments to the level above. */
export async function releaseResource(records: Records, { region, resource_id, now }: Gone): Promise<void> {
  const limits = (await readAll(records, "quota", { region })).filter((one) => one.resource_id === resource_id);
  for (const { quota, reseller, client_id } of limits)
    await releaseLimit(records, { region, quota, scope: { reseller, client_id, resource_id } }, now);
}

/** Removes a limit and returns its allotment to the level above. */
export async function releaseLimit(records: Records, key: QuotaKey, now: string): Promise<void> {
  await records.remove("quota", quotaId(key));
  await allotAbove(records, key, { amount: undefined, now });
}

interface Allotment {
  readonly amount: number | undefined;
  readonly now: string;
}

async function allotAbove(records: Records, key: QuotaKey, { amount, now }: Allotment): Promise<void> {
  const scope = parentScope(key.scope);
  if (!scope) return;
  const above = { ...key, scope };
  await write(records, "quota", {
    id: quotaId(above),
    by: (stored) => withAllotment(stored ?? emptyQuota(above, now), quotaId(key), amount),
  });
}
