import type { QuotaUsage } from "../../../src/portal/quota-usage.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import { limitsOf } from "../shared/quota-profile.ts";
import { projectMissing, recordOf } from "../shared/visibility.ts";
import type { Cloud, Wire } from "./client/cloud.ts";
import { objectOf, objectsOf } from "./client/from-wire.ts";
import type { CloudContext } from "./cloud-context.ts";
import { findProject } from "./identity.ts";
import { setLimits } from "./quota-calls.ts";
import { allProjects, limitsIn, profileSources, type QuotaHolder, readRequest } from "./quotas/quota-names.ts";
import { readLimits } from "./quotas/quotas.ts";

type Used = Readonly<Record<string, number>>;

/** How much of its quotas a project uses: Nova, Cinder and Neutron say it, Octavia's and Designate's things are counted. Its limits are theirs. */
export function usageOf(cloudContext: CloudContext): Required<QuotaUsage> {
  const { cloud, options } = cloudContext;
  return {
    profile: (name, call) => limitsOf(name, profileSources(options), call),
    set: async (projectId, limits, call) => void (await setLimits(cloudContext, { projectId, limits }, call)),
    limits: (projectId, call) =>
      cloudContext.run(call, async (deadline) => {
        await recordOf(projectId, call);
        if ((await findProject(cloud, projectId, deadline)) === undefined) throw projectMissing(projectId);
        return readLimits(cloud, projectId, deadline);
      }),
    used: (projectId, call) =>
      cloudContext.run(call, async (deadline) => {
        await recordOf(projectId, call);
        if ((await findProject(cloud, projectId, deadline)) === undefined) throw projectMissing(projectId);
        const parts = await Promise.all([
          readUsed(cloud, "compute", { projectId, deadline }),
          readUsed(cloud, "volume", { projectId, deadline }),
          readUsed(cloud, "network", { projectId, deadline }),
          countBalancers(cloud, { projectId, deadline }),
          countZones(cloud, { projectId, deadline }),
        ]);
        return Object.assign({}, ...parts);
      }),
  };
}

interface UsageRequest {
  readonly projectId: string;
  readonly deadline: OperationDeadline;
}

/** What each service's quota call is asked so that it tells usage as well. */
const details = {
  compute: { path: ["detail"], query: {} },
  volume: { path: [], query: { usage: "true" } },
  network: { path: ["details.json"], query: {} },
} as const;

/** Nova and Cinder say `in_use`, Neutron says `used`; what is reserved will be used in a moment. */
async function readUsed(
  cloud: Cloud,
  holder: keyof typeof details,
  { projectId, deadline }: UsageRequest,
): Promise<Used> {
  if (!(await cloud.has(holder, deadline))) return {};
  const request = readRequest(holder satisfies QuotaHolder, projectId);
  const { path, query } = details[holder];
  const quotas = limitsIn(holder, await cloud.ask({ ...request, path: [...request.path, ...path], query }, deadline));
  const used = Object.entries(quotas).flatMap(([name, quota]) => {
    const { in_use, used: count = in_use, reserved = 0 } = objectOf(quota) ?? {};
    return typeof count === "number" && typeof reserved === "number" ? [[name, count + reserved] as const] : [];
  });
  return Object.fromEntries(used);
}

/** Quota → the list whose entries count. */
const balancers = {
  load_balancer: "loadbalancers",
  listener: "listeners",
  pool: "pools",
  health_monitor: "healthmonitors",
  l7policy: "l7policies",
} as const;

/** Pools name their members, and policies their rules. */
async function countBalancers(cloud: Cloud, { projectId, deadline }: UsageRequest): Promise<Used> {
  if (!(await cloud.has("loadBalancer", deadline))) return {};
  const entries = Object.entries(balancers).map(async ([name, key]) => {
    const request = { service: "loadBalancer", path: [key], key, query: { project_id: projectId } } as const;
    return [name, (await cloud.list(request, deadline)).filter((item) => item.project_id === projectId)] as const;
  });
  const lists = Object.fromEntries(await Promise.all(entries)) as Record<keyof typeof balancers, Wire[]>;
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  const member = lists.pool.flatMap(({ members }) => objectsOf(members)).length;
  const l7rule = lists.l7policy.flatMap(({ rules }) => objectsOf(rules)).length;
  return { ...Object.fromEntries(counts), member, l7rule };
}

/** The other quotas of Designate are limits of one zone each, of which a project has no sum. */
async function countZones(cloud: Cloud, { projectId, deadline }: UsageRequest): Promise<Used> {
  if (!(await cloud.has("dns", deadline))) return {};
  const zones = await cloud.list({ service: "dns", path: ["zones"], key: "zones", headers: allProjects }, deadline);
  return { zones: zones.filter(({ project_id }) => project_id === projectId).length };
}
