import { GatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import type { RowInput } from "../../operations/portal/table.ts";
import type { PortalCall } from "../call/call.ts";
import type { ResourceLimits } from "../quota-usage.ts";
import { readAll } from "../tenancy/record-access.ts";
import { depthOf } from "../tenancy/tenant-scope.ts";
import type { Door, DoorCall } from "./door.ts";
import { parentScope, type QuotaScope, withoutParent } from "./limits.ts";
import { type LimitRequest, releaseLimit, setAround } from "./set.ts";
import { isCounted } from "./usage.ts";

/**
 * Sets the limits of a project within the tree: a quota that the project's own level, or one above it, has a limit of is allotted there.
 * Of any other quota a caller below the provider sets no more than the services hold now, because no level above has given it more. Throws
 * `conflict` and `quota_exceeded`, and then nothing has changed.
 */
export const changeWithin: Door<RowInput<"iaas.setProjectQuota">> = async ({ input, call, region, records }, work) => {
  const project = (await call.records.get("cloud_project", input.project_id))?.record;
  const isKnown = project !== undefined || depthOf(call.caller.scope) === 0;
  if (!isKnown || (project && !call.projectRegions.has(project.region))) return work(); // the back end answers `not_found`
  const { reseller = null, client_id = null } = project ?? {};
  const scope = { reseller, client_id, resource_id: input.project_id };
  const limited = await limitedQuotas(records, scope, call);
  const requested = await requestedLimits(input, { call, region });
  if (requested === undefined) {
    if (limited.size > 0 && input.quota === undefined && input.quota_profile !== undefined) throw withoutProfiles();
    return work();
  }
  await refuseRaise({ call, region }, { project_id: input.project_id, limited, requested });
  return setInTree({ records, scope, limited, requested, call }, work);
};

/** The limits that the input names; undefined where the back end will refuse it, or does not say what a profile holds. */
async function requestedLimits(
  { quota, limit, quota_profile }: RowInput<"iaas.setProjectQuota">,
  { call, region: { quotas } }: Pick<DoorCall<never>, "call" | "region">,
): Promise<ResourceLimits | undefined> {
  if (quota !== undefined) return limit === undefined || quota_profile !== undefined ? undefined : { [quota]: limit };
  return quota_profile === undefined || limit !== undefined ? undefined : quotas?.profile?.(quota_profile, call);
}

/** The quotas of the region's services that a scope, or a level above it, has a limit of. */
export async function limitedQuotas(
  records: Records,
  scope: QuotaScope,
  { region }: Pick<PortalCall, "region">,
): Promise<ReadonlySet<string>> {
  const chain = new Set<string>();
  for (let at: QuotaScope | undefined = scope; at; at = parentScope(at)) chain.add(placeOf(at));
  const limits = (await readAll(records, "quota", { region })).filter(
    (one) => one.limit !== null && !isCounted(one.quota) && chain.has(placeOf(one)),
  );
  return new Set(limits.map(({ quota }) => quota));
}

function placeOf({ reseller, client_id, resource_id }: QuotaScope): string {
  return JSON.stringify([reseller, client_id, resource_id]);
}

interface ChangeOfProject {
  readonly project_id: string;
  readonly limited: ReadonlySet<string>;
  readonly requested: ResourceLimits;
}

/** Refuses to raise a quota that no level has a limit of, unless the provider does it. */
async function refuseRaise(
  { call, region: { quotas } }: Pick<DoorCall<never>, "call" | "region">,
  { project_id, limited, requested }: ChangeOfProject,
): Promise<void> {
  const free = Object.entries(requested).filter(([quota]) => !limited.has(quota));
  if (depthOf(call.caller.scope) === 0 || free.length === 0 || !quotas?.limits) return;
  const held = await quotas.limits(project_id, call);
  const raised = free.find(([quota, limit]) => amountOf(limit) > amountOf(held[quota] ?? limit));
  if (raised) throw withoutParent(raised[0]);
}

/** An amount that compares: -1 stands for no limit. */
function amountOf(limit: number): number {
  return limit < 0 ? Number.POSITIVE_INFINITY : limit;
}

interface TreeChange {
  readonly records: Records;
  readonly scope: QuotaScope;
  readonly limited: ReadonlySet<string>;
  readonly requested: ResourceLimits;
  readonly call: PortalCall;
}

async function setInTree({ records, scope, limited, requested, call }: TreeChange, work: () => Promise<unknown>) {
  const now = new Date(call.now).toISOString();
  const above = await limitedQuotas(records, parentScope(scope) ?? scope, call);
  const keyOf = (quota: string) => ({ region: call.region, quota, scope });
  const requests: LimitRequest[] = [];
  const released: string[] = [];
  for (const [quota, limit] of Object.entries(requested)) {
    if (!limited.has(quota)) continue;
    if (limit >= 0) requests.push({ key: keyOf(quota), limit, used: 0, now });
    else if (above.has(quota)) throw unlimitedBelow(quota);
    else released.push(quota);
  }
  const answer = await setAround(call.records, requests, work);
  for (const quota of released) await releaseLimit(call.records, keyOf(quota), now);
  return answer;
}

/** The error of a project without a limit below a level that has one. */
export function unlimitedBelow(quota: string): GatewayError {
  const message = `The project cannot be without a limit of \`${quota}\`: a level above has one.`;
  return new GatewayError("quota_exceeded", message, { param: "limit" });
}

function withoutProfiles(): GatewayError {
  const message = "The region's back end does not say what the profile holds: set its quotas one by one.";
  return new GatewayError("invalid_request", message, { param: "quota_profile" });
}
