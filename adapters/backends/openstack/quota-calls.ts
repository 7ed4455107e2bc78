import { GatewayError } from "../../../src/errors.ts";
import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import type { OperationDeadline } from "../shared/deadline.ts";
import { limitsOf, type QuotaLimits } from "../shared/quota-profile.ts";
import { touchProject } from "../shared/records.ts";
import { projectMissing, recordOf } from "../shared/visibility.ts";
import type { CloudContext } from "./cloud-context.ts";
import { findProject } from "./identity.ts";
import { profileSources, sortLimits } from "./quotas/quota-names.ts";
import { setQuotas } from "./quotas/quotas.ts";

type QuotaCalls = Pick<Required<AreaBackend<"iaas">>, "setProjectQuota">;
type QuotaInput = Parameters<QuotaCalls["setProjectQuota"]>[0];

/** The operation on a project's quotas: one quota at the one service that has it, or those of a profile. */
export function quotaCalls(cloudContext: CloudContext): QuotaCalls {
  return {
    setProjectQuota: (input, call) =>
      cloudContext.run(call, async (deadline) => {
        const limits = sortLimits(
          await requestOf(input, cloudContext, call),
          input.quota === undefined ? "quota_profile" : "quota",
        );
        await checkProject(cloudContext, input, { call, deadline });
        const result = await setQuotas(
          cloudContext.cloud,
          { projectId: input.project_id, limits },
          { deadline, undo: cloudContext.undo },
        );
        await touchProject(input.project_id, call);
        return result;
      }),
  };
}

async function requestOf(
  { quota, limit, quota_profile }: QuotaInput,
  { options }: CloudContext,
  call: PortalCall,
): Promise<QuotaLimits> {
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
  { cloud }: CloudContext,
  { project_id, client, reseller }: QuotaInput,
  { call, deadline }: { call: PortalCall; deadline: OperationDeadline },
): Promise<void> {
  const record = await recordOf(project_id, call);
  if ((await findProject(cloud, project_id, deadline)) === undefined) throw projectMissing(project_id);
  const named = { client, reseller };
  const own = { client: record?.client_id ?? client, reseller: record?.reseller ?? reseller };
  for (const param of ["client", "reseller"] as const) {
    if (named[param] === own[param]) continue;
    throw new GatewayError("invalid_request", `\`${param}\`: the project belongs to another ${param}.`, { param });
  }
}
