import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import type { StoredCloudProject } from "../../operations/records/cloud.ts";
import type { PortalCall } from "../call/call.ts";
import { inParallel } from "../locks/in-parallel.ts";
import type { QuotaUsage, ResourceLimits } from "../quota-usage.ts";
import { readAll } from "../tenancy/record-access.ts";
import { contains, toScope } from "../tenancy/tenant-scope.ts";
import { isUnlimited, type QuotaScope, quotaId, sumOf } from "./limits.ts";
import type { LimitRequest } from "./set.ts";
import { isCounted, type QuotaDeps } from "./usage.ts";

/** Projects whose limits are read at a time. */
const width = 8;

/**
 * Returns the requests that bring the projects below a level into the tree when the level gets its first limit of a quota: each project
 * with the limit that the services hold for it, and each client or reseller on the way with their sum. Throws `conflict` where the new
 * limit is below their sum, or where a project has no limit.
 */
export type Adoption = (request: LimitRequest) => Promise<LimitRequest[]>;

/** Returns the adoption for one call. Each project's limits are read once. */
export function createAdoption({ records, regions }: QuotaDeps, call: PortalCall): Adoption {
  const source = regions[call.region]?.quotas;
  const known = new Map<string, Promise<ResourceLimits>>();
  const limitsOf = (id: string) => {
    const found = known.get(id) ?? readLimits(source, id, call);
    known.set(id, found);
    return found;
  };
  return async (request) => {
    const { key, limit, now } = request;
    const { scope, quota, region } = key;
    const requestOf = (below: QuotaScope, amount: number): LimitRequest => {
      return { key: { region, quota, scope: below }, limit: amount, used: 0, now };
    };
    const recordOf = async (at: QuotaScope) =>
      (await records.get("quota", quotaId({ region, quota, scope: at })))?.record;
    const present = await recordOf(scope);
    const isFirst = scope.resource_id === null && !isCounted(quota) && isUnlimited(present);
    if (!source?.limits || !isFirst) return [];
    const level = toScope(scope);
    const isBelow = (one: StoredCloudProject) => call.projectRegions.has(one.region) && contains(level, one);
    const projects = (await readAll(records, "cloud_project")).filter(isBelow);
    const held = await inParallel(projects, width, async (project) => (await limitsOf(project.id))[quota] ?? 0);
    const tops = new Map<string, LimitRequest[]>();
    for (const [at, project] of projects.entries()) {
      const path = pathBelow(scope, { ...project, resource_id: project.id });
      const records = await Promise.all(path.map(recordOf));
      if (records.some((record) => !isUnlimited(record))) continue; // in the tree already
      const amount = held[at] as number;
      if (amount < 0) throw unlimited(quota, project);
      const [top] = path as [QuotaScope];
      tops.set(quotaId({ region, quota, scope: top }), [
        ...(tops.get(quotaId({ region, quota, scope: top })) ?? []),
        ...path.map((one) => requestOf(one, amount)),
      ]);
    }
    const requests = [...tops.values()].flatMap(summed);
    const adopted = requests.filter(({ key: { scope: at } }) => pathBelow(scope, at).length === 1);
    const sum = sumOf(present?.allotted ?? {}) + adopted.reduce((total, one) => total + one.limit, 0);
    if (sum > limit) throw tooLow(quota, { limit, sum });
    return requests;
  };
}

async function readLimits(source: QuotaUsage | undefined, id: string, call: PortalCall): Promise<ResourceLimits> {
  try {
    return (await source?.limits?.(id, call)) ?? {};
  } catch (thrown) {
    if (isGatewayError(thrown) && thrown.code === "not_found") return {}; // a record without its project uses nothing
    throw thrown;
  }
}

/** The scopes between a level and what lies below it: the reseller, the client, then the resource itself. */
function pathBelow(level: QuotaScope, { reseller, client_id, resource_id }: QuotaScope): QuotaScope[] {
  const path: QuotaScope[] = [];
  if (reseller !== null && level.reseller === null) path.push({ reseller, client_id: null, resource_id: null });
  if (client_id !== null && level.client_id === null) path.push({ reseller, client_id, resource_id: null });
  if (resource_id !== null) path.push({ reseller, client_id, resource_id });
  return path;
}

/** One request for each scope, with the sum of its amounts, higher levels first. */
function summed(requests: readonly LimitRequest[]): LimitRequest[] {
  const byId = new Map<string, LimitRequest>();
  for (const request of requests) {
    const id = quotaId(request.key);
    byId.set(id, { ...request, limit: request.limit + (byId.get(id)?.limit ?? 0) });
  }
  const depthOf = ({ key: { scope } }: LimitRequest) =>
    scope.resource_id !== null ? 3 : scope.client_id !== null ? 2 : 1;
  return [...byId.values()].sort((one, other) => depthOf(one) - depthOf(other));
}

function unlimited(quota: string, { id }: StoredCloudProject): GatewayError {
  const message = `The project \`${id}\` has no limit of \`${quota}\` in the region. Set the project's limit first.`;
  return new GatewayError("conflict", message, { param: "limit" });
}

function tooLow(quota: string, { limit, sum }: { readonly limit: number; readonly sum: number }): GatewayError {
  const message = `The limit of \`${quota}\` cannot be ${limit}: the projects of this level may use ${sum} already.`;
  return new GatewayError("conflict", message, { param: "limit" });
}
