import { isGatewayError } from "../../engine/errors.ts";
import type { RecordKind, Records } from "../../engine/ports/records.ts";
import type { AreaName } from "../../operations/portal/table.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { inParallel } from "../locks/in-parallel.ts";
import type { QuotaUsage, ResourceUsage } from "../quota-usage.ts";
import { readAll } from "../tenancy/record-access.ts";
import { contains, scopedRecords, toScope } from "../tenancy/tenant-scope.ts";
import type { QuotaScope } from "./limits.ts";
import type { UsageReading } from "./reading.ts";

/**
 * The quotas that count records of the portal: the kind of record, and the area whose operations create it. Infrastructure projects are
 * counted for each region, because their limits belong to a region.
 */
export const countedQuotas = {
  users: { kind: "user", area: "users" },
  tokens: { kind: "token", area: "users" },
  profiles: { kind: "profile", area: "profiles" },
  ai_keys: { kind: "key", area: "ai" },
  ai_projects: { kind: "project", area: "ai" },
  projects: { kind: "cloud_project", area: "iaas" },
} as const satisfies Record<string, { readonly kind: RecordKind; readonly area: AreaName }>;

/** What the operations on quotas need. */
export type QuotaDeps = Pick<PortalDeps, "records" | "regions">;

/** Resources whose usage is asked for at a time. */
const width = 8;

/** A quota that the portal counts itself. A back end counts what a resource uses. */
export type CountedQuota = keyof typeof countedQuotas;

/** What usage is counted from. */
interface UsageSources {
  /** All records. */
  readonly records: Records;
  readonly call: PortalCall;
  /** The back end's own counts; without it only what the portal counts is known. */
  readonly source: QuotaUsage | undefined;
  /** How a list reads what resources use; without it every resource is asked for, and the first failure is thrown. */
  readonly reading?: UsageReading | undefined;
}

/** Returns how much of a quota a scope uses. Asks the back end once per resource. */
export type UsedOf = (quota: string, scope: QuotaScope) => Promise<number>;

/**
 * Counts usage for one call: records for the quotas that the portal counts, the back end's figure for a resource, and the sum over all
 * resources for a level.
 */
export function createUsage({ records, call, source, reading }: UsageSources): UsedOf {
  const byResource = new Map<string, Promise<ResourceUsage>>();
  const byScope = new Map<string, Promise<string[]>>();
  const resourcesOf = ({ reseller, client_id }: QuotaScope) => {
    const key = JSON.stringify([reseller, client_id]);
    const found = byScope.get(key) ?? projectsOf(records, { reseller, client_id, resource_id: null }, call);
    byScope.set(key, found);
    return found;
  };
  const askOnce = (resource: string) => {
    const used = byResource.get(resource) ?? askFor(resource, source, call);
    byResource.set(resource, used);
    return used;
  };
  const ask = (resource: string) => reading?.read(resource, () => askOnce(resource)) ?? askOnce(resource);
  return async (quota, scope) => {
    if (isCounted(quota)) {
      if (scope.resource_id !== null) return 0;
      if (quota === "projects") return (await resourcesOf(scope)).length;
      return countRecords(records, countedQuotas[quota].kind, scope);
    }
    const resources = scope.resource_id === null ? await resourcesOf(scope) : [scope.resource_id];
    const used = await inParallel(resources, width, ask);
    return used.reduce((sum, one) => sum + (Object.hasOwn(one, quota) ? (one[quota] ?? 0) : 0), 0);
  };
}

/** True for a quota that the portal counts itself. */
export function isCounted(quota: string): quota is CountedQuota {
  return Object.hasOwn(countedQuotas, quota);
}

async function askFor(resource: string, source: QuotaUsage | undefined, call: PortalCall) {
  if (!source) return {};
  try {
    return await source.used(resource, call);
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found") return {}; // a limit may be set before the resource exists
    throw thrown;
  }
}

async function countRecords(records: Records, kind: RecordKind, { reseller, client_id }: QuotaScope): Promise<number> {
  return scopedRecords(records, toScope({ reseller, client_id })).count(kind);
}

async function projectsOf(
  records: Records,
  { reseller, client_id }: QuotaScope,
  { projectRegions }: Pick<PortalCall, "projectRegions">,
): Promise<string[]> {
  const scope = toScope({ reseller, client_id });
  const projects = await readAll(scopedRecords(records, scope), "cloud_project");
  return projects.filter((one) => projectRegions.has(one.region) && contains(scope, one)).map(({ id }) => id);
}
