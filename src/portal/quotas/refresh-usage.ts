import { toGatewayError } from "../../engine/errors.ts";
import { createAborter } from "../../engine/runtime/abortable.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { inParallel } from "../locks/in-parallel.ts";
import type { QuotaUsage } from "../quota-usage.ts";
import { sharingRegions } from "../regions.ts";
import { readAll } from "../tenancy/record-access.ts";
import { newUsageRecord, usageRecordId } from "./reading.ts";

/** Milliseconds between two runs of the job, and the age from which on a resource is read again: another process may have read it. */
export const refreshUsageEveryMs = 5 * 60_000;
const freshMs = refreshUsageEveryMs / 2;

/** Projects that are asked for at a time. */
const width = 8;

type RefreshDeps = Pick<PortalDeps, "records" | "regions" | "clock">;

/** Makes the call of the job in a region: the provider's, without a caller who could hang up. */
export type JobCalls = (region: string) => PortalCall;

/**
 * Reads what every project uses into records, in each region of its identity, and forgets those of projects that are gone. One that cannot
 * be read keeps its last figures.
 */
export async function refreshUsage({ records, regions, clock }: RefreshDeps, callIn: JobCalls): Promise<void> {
  const projects = await readAll(records, "cloud_project");
  const places = projects.flatMap(({ id: resource_id, region: home, reseller, client_id }) =>
    sharingRegions(regions, home).map((region) => {
      return { id: usageRecordId(region, resource_id), region, resource_id, reseller, client_id };
    }),
  );
  const present = new Set(places.map(({ id }) => id));
  for (const { id } of await readAll(records, "resource_usage"))
    if (!present.has(id)) await records.remove("resource_usage", id);
  await inParallel(places, width, async (place) => {
    const source = regions[place.region]?.quotas;
    const stored = await records.get("resource_usage", place.id);
    const now = clock.now();
    if (!source || (stored !== undefined && stored.record.tried_at + freshMs > now)) return;
    const read = await readUsed(source, place.resource_id, callIn(place.region));
    const record = newUsageRecord(place, stored?.record, { now, ...read });
    await records.put("resource_usage", record, stored?.version ?? 0); // moved: another process was faster
  });
}

async function readUsed(source: QuotaUsage, resource: string, call: PortalCall) {
  try {
    return { used: await source.used(resource, { ...call, signal: createAborter() }), message: null };
  } catch (thrown) {
    return { used: undefined, message: toGatewayError(thrown).message };
  }
}
