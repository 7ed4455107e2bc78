import type { QuotaUsage } from "../../../src/portal/quotas/usage.ts";
import { projectMissing, recordOf } from "../shared/sight.ts";
import type { Work } from "../shared/work.ts";
import type { Cloud, Wire } from "./cloud.ts";
import { objectOf, objectsOf } from "./from-wire.ts";
import { findProject } from "./identity.ts";
import { allProjects, limitsIn, type QuotaHolder, readRequest } from "./quota-names.ts";
import type { Site } from "./site.ts";

type Used = Readonly<Record<string, number>>;

/** How much of its quotas a project uses: Nova, Cinder and Neutron say it, Octavia's and Designate's things are counted. */
export function usageOf(site: Site): QuotaUsage {
  const { cloud } = site;
  return {
    used: (projectId, call) =>
      site.run(call, async (work) => {
        await recordOf(projectId, call);
        if ((await findProject(cloud, projectId, work)) === undefined) throw projectMissing(projectId);
        const parts = await Promise.all([
          readUsed(cloud, "compute", { projectId, work }),
          readUsed(cloud, "volume", { projectId, work }),
          readUsed(cloud, "network", { projectId, work }),
          countBalancers(cloud, { projectId, work }),
          countZones(cloud, { projectId, work }),
        ]);
        return Object.assign({}, ...parts);
      }),
  };
}

interface Question {
  readonly projectId: string;
  readonly work: Work;
}

/** What each service's quota call is asked so that it tells usage as well. */
const details = {
  compute: { path: ["detail"], query: {} },
  volume: { path: [], query: { usage: "true" } },
  network: { path: ["details.json"], query: {} },
} as const;

/** Nova and Cinder say `in_use`, Neutron says `used`; what is reserved will be used in a moment. */
async function readUsed(cloud: Cloud, holder: keyof typeof details, { projectId, work }: Question): Promise<Used> {
  if (!(await cloud.has(holder, work))) return {};
  const request = readRequest(holder satisfies QuotaHolder, projectId);
  const { path, query } = details[holder];
  const quotas = limitsIn(holder, await cloud.ask({ ...request, path: [...request.path, ...path], query }, work));
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
async function countBalancers(cloud: Cloud, { projectId, work }: Question): Promise<Used> {
  if (!(await cloud.has("loadBalancer", work))) return {};
  const entries = Object.entries(balancers).map(async ([name, key]) => {
    const request = { service: "loadBalancer", path: [key], key, query: { project_id: projectId } } as const;
    return [name, (await cloud.list(request, work)).filter((thing) => thing.project_id === projectId)] as const;
  });
  const lists = Object.fromEntries(await Promise.all(entries)) as Record<keyof typeof balancers, Wire[]>;
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length] as const);
  const member = lists.pool.flatMap(({ members }) => objectsOf(members)).length;
  const l7rule = lists.l7policy.flatMap(({ rules }) => objectsOf(rules)).length;
  return { ...Object.fromEntries(counts), member, l7rule };
}

/** The other quotas of Designate are limits of one zone each, of which a project has no sum. */
async function countZones(cloud: Cloud, { projectId, work }: Question): Promise<Used> {
  if (!(await cloud.has("dns", work))) return {};
  const zones = await cloud.list({ service: "dns", path: ["zones"], key: "zones", headers: allProjects }, work);
  return { zones: zones.filter(({ project_id }) => project_id === projectId).length };
}
