import { GatewayError, toGatewayError } from "../../engine/errors.ts";
import type { RowInput } from "../../operations/portal/table.ts";
import type { PortalCall } from "../call/call.ts";
import { knownProfiles } from "../profiles/known.ts";
import type { ResourceLimits } from "../quota-usage.ts";
import { contains, depthOf, isAbove } from "../tenancy/tenant-scope.ts";
import type { Door, DoorCall } from "./door.ts";
import { emptyQuota, type QuotaScope, quotaId, withAllotment, withoutParent } from "./limits.ts";
import { limitedQuotas, unlimitedBelow } from "./project-limits.ts";
import { scopeOfOwner } from "./scope.ts";
import { setEach } from "./set.ts";

/**
 * Creates a project within the tree: what the services hold for it, of every quota that its level or one above it has a limit of, is
 * allotted to it. The profile's limits are checked before anything is created; a project whose other limits do not fit is deleted
 * again. Throws `conflict`, `quota_exceeded`, and `not_implemented` where the region does not say what a project may use.
 */
export const createWithin: Door<RowInput<"iaas.createProject">> = async (doorCall, work) => {
  const { input, call, region, records } = doorCall;
  const scope = await scopeOfOwner({ reseller: input.reseller, client_id: input.client }, call);
  if (!contains(call.caller.scope, scope)) return work(); // the back end answers `not_found`
  const limited = await limitedQuotas(records, scope, call);
  const source = region.quotas;
  const limitsOf = source?.limits?.bind(source);
  if (limited.size > 0 && !limitsOf) throw unreadable(call, limited);
  const requested = (await source?.profile?.(input.quota_profile, call)) ?? {};
  await refuseOwn(doorCall, { requested, limited });
  await checkFit(doorCall, { scope, limits: within(requested, limited) });
  const answer = await work();
  if (limited.size > 0 && limitsOf) await allotNew(doorCall, { scope, limited, answer, limitsOf });
  return answer;
};

/** The limits of the quotas that are limited above. */
function within(limits: ResourceLimits, limited: ReadonlySet<string>): ResourceLimits {
  return Object.fromEntries(Object.entries(limits).filter(([quota]) => limited.has(quota)));
}

interface NewLimits {
  readonly scope: QuotaScope;
  readonly limits: ResourceLimits;
}

/** Throws where the limits of one more project would exceed what its level has left. */
async function checkFit({ call, records }: DoorCall<unknown>, { scope, limits }: NewLimits): Promise<void> {
  for (const [quota, limit] of Object.entries(limits)) {
    if (limit < 0) throw unlimitedBelow(quota);
    const key = { region: call.region, quota, scope };
    const level = (await records.get("quota", quotaId(key)))?.record;
    withAllotment(level ?? emptyQuota(key, ""), "the new project", limit);
  }
}

interface Requested {
  readonly requested: ResourceLimits;
  readonly limited: ReadonlySet<string>;
}

/** Refuses a profile that the caller's own level made where it names quotas of which no level has a limit: they were never given. */
async function refuseOwn({ input, call }: DoorCall<RowInput<"iaas.createProject">>, { requested, limited }: Requested) {
  const free = Object.keys(requested).find((quota) => !limited.has(quota));
  if (free === undefined || depthOf(call.caller.scope) === 0) return;
  const { visible } = await knownProfiles(call);
  const named = input.quota_profile;
  const matches = visible.filter(({ id, name }) => id === named || name.toLowerCase() === named.toLowerCase());
  if (matches.some((profile) => !isAbove(profile, call.caller.scope))) throw withoutParent(free);
}

interface Allotting {
  readonly scope: QuotaScope;
  readonly limited: ReadonlySet<string>;
  /** The answer of the back end that created it. */
  readonly answer: unknown;
  limitsOf(id: string, call: PortalCall): Promise<ResourceLimits>;
}

async function allotNew(doorCall: DoorCall<unknown>, { scope, limited, answer, limitsOf }: Allotting): Promise<void> {
  const { call } = doorCall;
  const { project } = answer as { readonly project: { readonly id: string } }; // the row's output
  const now = new Date(call.now).toISOString();
  try {
    const limits = within(await limitsOf(project.id, call), limited);
    await checkFit(doorCall, { scope, limits });
    const keyOf = (quota: string) => ({ region: call.region, quota, scope: { ...scope, resource_id: project.id } });
    const requests = Object.entries(limits).map(([quota, limit]) => ({ key: keyOf(quota), limit, used: 0, now }));
    await setEach(call.records, requests);
  } catch (thrown) {
    await takeBack(doorCall, project.id, thrown);
    throw thrown;
  }
}

async function takeBack({ region: { iaas }, call }: DoorCall<unknown>, project_id: string, thrown: unknown) {
  try {
    if (!iaas?.deleteProject) throw new Error("no back end deletes projects");
    await iaas.deleteProject({ project_id }, call);
  } catch {
    const message = `${toGatewayError(thrown).message} The project \`${project_id}\` was created and could not be deleted again: delete it.`;
    throw new GatewayError("backend_error", message, { cause: thrown });
  }
}

function unreadable({ region }: PortalCall, limited: ReadonlySet<string>): GatewayError {
  const message = `\`${[...limited].join("`, `")}\` is limited, and the region \`${region}\` does not say what a new project may use.`;
  return new GatewayError("not_implemented", message);
}
