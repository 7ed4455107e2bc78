import { isGatewayError, toGatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { StoredResourceUsage } from "../../operations/records/quotas.ts";
import type { PortalCall } from "../call/call.ts";
import type { ResourceUsage } from "../quota-usage.ts";
import { readAll } from "../tenancy/record-access.ts";

/** Up to this many resources of the caller are asked for at once; of more, a list shows what the job has read. */
const mostAsked = 50;

/** Milliseconds for which a process remembers what it has read of a resource. */
const rememberedMs = 5_000;

/** Milliseconds for which a list shows what the job has read. */
const shownMs = 30 * 60_000;

/** What a process has read of resources lately, by region and resource. */
export type UsageMemory = Map<string, { readonly at: number; readonly usage: ResourceUsage }>;

/** A row that is read now: how old its parts are, and what it lacks. */
export interface ReadingNotes {
  /** RFC 3339: when the oldest part of `used` was read by the job; absent where all was asked for now. */
  readonly read_at?: string;
  /** The resources that `used` lacks, and why. */
  readonly missing?: readonly { readonly resource_id: string; readonly reason: string }[];
}

/** Reads usage for the rows of a list, one row after the other. */
export interface UsageReading {
  readonly read: (resource: string, ask: () => Promise<ResourceUsage>) => Promise<ResourceUsage>;
  /** Returns the notes of the row that was read last. */
  takeNotes(): ReadingNotes;
}

/**
 * Opens the reading of a list. A resource whose usage cannot be read counts as nothing and is named in the row: the others are shown. Of
 * many resources what the job has read is shown, with its age.
 */
export async function openReading(
  { records }: { readonly records: Records },
  call: PortalCall,
  memory: UsageMemory,
): Promise<UsageReading> {
  const { region, now } = call;
  const isMany = (await call.records.count("cloud_project")) > mostAsked;
  const all = isMany ? await readAll(records, "resource_usage", { region }) : [];
  const stored = new Map(all.map((usage) => [usage.resource_id, usage] as const));
  const missing = new Map<string, string>();
  let oldest: number | undefined;
  return {
    async read(resource, ask) {
      const known = stored.get(resource);
      if (known !== undefined && known.read_at + shownMs > now) {
        oldest = Math.min(oldest ?? known.read_at, known.read_at);
        if (known.message !== null) missing.set(resource, known.message);
        return known.used;
      }
      try {
        return await remembered(memory, { key: JSON.stringify([region, resource]), now }, ask);
      } catch (thrown) {
        if (!isGatewayError(thrown)) throw thrown;
        missing.set(resource, toGatewayError(thrown).message);
        return {};
      }
    },
    takeNotes() {
      const lacks = [...missing].map(([resource_id, reason]) => ({ resource_id, reason }));
      const notes = {
        ...(oldest === undefined ? {} : { read_at: new Date(oldest).toISOString() }),
        ...(lacks.length === 0 ? {} : { missing: lacks }),
      };
      missing.clear();
      oldest = undefined;
      return notes;
    },
  };
}

/** Returns what was read lately, or asks; a failure is not remembered. */
async function remembered(
  memory: UsageMemory,
  { key, now }: { readonly key: string; readonly now: number },
  ask: () => Promise<ResourceUsage>,
): Promise<ResourceUsage> {
  for (const [name, { at }] of memory) {
    if (at + rememberedMs > now) break; // the oldest come first
    memory.delete(name);
  }
  const known = memory.get(key);
  if (known !== undefined) return known.usage;
  const usage = await ask();
  memory.set(key, { at: now, usage });
  return usage;
}

/** The record of what the job has read of a resource. */
export function usageRecordId(region: string, resource: string): string {
  return `${region}/${resource}`.slice(0, 200);
}

/** Returns the record of a resource that was read, or could not be. What was read before stays where the reading fails. */
export function newUsageRecord(
  owner: Pick<StoredResourceUsage, "id" | "reseller" | "client_id" | "region" | "resource_id">,
  before: StoredResourceUsage | undefined,
  {
    now,
    used,
    message,
  }: { readonly now: number; readonly used: ResourceUsage | undefined; readonly message: string | null },
): StoredResourceUsage {
  const created_at = before?.created_at ?? new Date(now).toISOString();
  const read_at = used === undefined ? (before?.read_at ?? now) : now;
  return { ...owner, created_at, used: used ?? before?.used ?? {}, read_at, tried_at: now, message };
}
