import { GatewayError } from "../../../src/errors.ts";
import type { PortalCall } from "../../../src/portal/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { type Limits, limitsOf } from "../shared/quota-profile.ts";
import { touchProject } from "../shared/records.ts";
import { projectMissing, recordOf } from "../shared/sight.ts";
import type { Work } from "../shared/work.ts";
import { findProject } from "./identity.ts";
import { profileSources, sortLimits } from "./quota-names.ts";
import { setQuotas } from "./quotas.ts";
import type { Site } from "./site.ts";

type QuotaCalls = Pick<Required<AreaBackend<"iaas">>, "setProjectQuota">;
type QuotaInput = Parameters<QuotaCalls["setProjectQuota"]>[0];

/** The operation on a project's quotas: one quota at the one service that has it, or those of a profile. */
export function quotaCalls(site: Site): QuotaCalls {
  return {
    setProjectQuota: (input, call) =>
      site.run(call, async (work) => {
        const limits = sortLimits(
          await wishOf(input, site, call),
          input.quota === undefined ? "quota_profile" : "quota",
        );
        await checkProject(site, input, { call, work });
        const result = await setQuotas(site.cloud, { projectId: input.project_id, limits }, { work, undo: site.undo });
        await touchProject(input.project_id, call);
        return result;
      }),
  };
}

async function wishOf(
  { quota, limit, quota_profile }: QuotaInput,
  { options }: Site,
  call: PortalCall,
): Promise<Limits> {
  const refuse = (param: string, problem: string) => new GatewayError("invalid_request", problem, { param });
  if (quota === undefined) {
    if (limit !== undefined) throw refuse("quota", "`quota` must name what the `limit` is for.");
    if (quota_profile === undefined) throw refuse("quota", "Give `quota` and `limit`, or a `quota_profile`.");
    return limitsOf(quota_profile, profileSources(options), call);
  }
  if (quota_profile !== undefined) throw refuse("quota_profile", "Give `quota` or `quota_profile`, not both.");
  if (limit === undefined) throw refuse("limit", "`limit` is needed with `quota`.");
  return { [quota]: limit };
}

/** Cinder, Neutron, Octavia and Designate store a quota for a project that does not exist: Keystone is asked first. */
async function checkProject(
  { cloud }: Site,
  { project_id, client, reseller }: QuotaInput,
  { call, work }: { call: PortalCall; work: Work },
): Promise<void> {
  const record = await recordOf(project_id, call);
  if ((await findProject(cloud, project_id, work)) === undefined) throw projectMissing(project_id);
  const named = { client, reseller };
  const own = { client: record?.client_id ?? client, reseller: record?.reseller ?? reseller };
  for (const param of ["client", "reseller"] as const) {
    if (named[param] === own[param]) continue;
    throw new GatewayError("invalid_request", `\`${param}\`: the project belongs to another ${param}.`, { param });
  }
}
