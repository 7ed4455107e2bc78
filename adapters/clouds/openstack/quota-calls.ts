import { GatewayError } from "../../../src/engine/errors.ts";
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
    async setProjectQuota(input, call) {
      const limits = await requestOf(input, cloudContext, call);
      const param = input.quota === undefined ? "quota_profile" : "quota";
      return setLimits(cloudContext, { projectId: input.project_id, limits, param, named: input }, call);
    },
  };
}

/** Limits of a project to set. */
interface ProjectLimits {
  readonly projectId: string;
  readonly limits: QuotaLimits;
  /** The field of the input that names them; `quota`. */
  readonly param?: string;
  /** The tenant that the caller says the project belongs to. */
  readonly named?: { readonly client: string; readonly reseller: string } | undefined;
}

/** Sets the limits of a project at the services that hold them. Throws `invalid_request` for a name that none has, `not_found`. */
export function setLimits(cloudContext: CloudContext, change: ProjectLimits, call: PortalCall) {
  const { cloud, undo } = cloudContext;
  const { projectId, limits, param = "quota", named } = change;
  return cloudContext.run(call, async (deadline) => {
    const sorted = sortLimits(limits, param);
    await checkProject(cloud, { projectId, named }, { call, deadline });
    const result = await setQuotas(cloud, { projectId, limits: sorted }, { deadline, undo });
    await touchProject(projectId, call);
    return result;
  });
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
  cloud: CloudContext["cloud"],
  { projectId, named }: Pick<ProjectLimits, "projectId" | "named">,
  { call, deadline }: { call: PortalCall; deadline: OperationDeadline },
): Promise<void> {
  const record = await recordOf(projectId, call);
  if ((await findProject(cloud, projectId, deadline)) === undefined) throw projectMissing(projectId);
  if (!named) return;
  const own = { client: record?.client_id ?? named.client, reseller: record?.reseller ?? named.reseller };
  for (const param of ["client", "reseller"] as const) {
    if (named[param] === own[param]) continue;
    throw new GatewayError("invalid_request", `\`${param}\`: the project belongs to another ${param}.`, { param });
  }
}
