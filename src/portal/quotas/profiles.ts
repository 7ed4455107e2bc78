import { GatewayError } from "../../engine/errors.ts";
import type { PortalCall } from "../call/call.ts";
import { grantOf } from "../profiles/effective.ts";
import { findProfile, knownProfiles } from "../profiles/known.ts";
import { showProfile } from "../profiles/show.ts";
import type { AreaBackend } from "../regions.ts";
import { readAll } from "../tenancy/record-access.ts";
import { quotasLease, setAll, showQuota, usageIn } from "./apply.ts";
import type { QuotaScope } from "./limits.ts";
import { findScope } from "./scope.ts";
import type { QuotaDeps } from "./usage.ts";

const quotaGrant = { type: "quota" } as const;

/** Profiles of quotas: sets of limits that are set together. */
export function quotaProfileCalls(deps: QuotaDeps) {
  return {
    async profiles(_input, call) {
      const { profilesById, visible } = await knownProfiles(call);
      const profiles = visible
        .map((profile) => ({ profile, grant: grantOf(profilesById, profile.id, quotaGrant) }))
        .filter(({ profile, grant }) => profile.type === "quota" || grant.size > 0)
        .map(({ profile, grant }) => ({ ...showProfile(profile), quotas: Object.fromEntries(grant) }));
      return { my_quotas: await ownQuotas(deps, call), profiles };
    },
    async applyProfile({ profile_id, reseller_name, client_id, resource_id }, call) {
      const { scope: own } = call.caller;
      const named = { reseller: reseller_name ?? own.reseller, client_id: client_id ?? own.client_id, resource_id };
      const scope = findScope(named, call, "reseller_name");
      const limits = await limitsOfProfile(deps, { profile_id, scope }, call);
      if (limits.length === 0) {
        const message = `\`profile_id\`: the profile \`${profile_id}\` contains no quotas.`;
        throw new GatewayError("invalid_request", message, { param: "profile_id" });
      }
      await call.withLease(quotasLease, () => setAll(deps, { scope, limits }, call));
    },
  } satisfies AreaBackend<"quotas">;
}

/** Returns the limits of a profile; of a resource those that the region's services have. */
async function limitsOfProfile(
  { regions }: QuotaDeps,
  { profile_id, scope }: { readonly profile_id: string; readonly scope: QuotaScope },
  call: PortalCall,
): Promise<[quota: string, limit: number][]> {
  const known = await knownProfiles(call);
  const { id } = findProfile(known, profile_id, call.caller.scope);
  const source = regions[call.region]?.quotas;
  if (scope.resource_id !== null && source?.profile) return Object.entries(await source.profile(id, call));
  return [...grantOf(known.profilesById, id, quotaGrant)].map(([name, limit = 0]) => [name, limit]);
}

/** Returns the limits of the caller's own level by the quota's name. */
async function ownQuotas(deps: QuotaDeps, call: PortalCall): Promise<Record<string, { limit: number; used: number }>> {
  const { reseller = null, client_id = null } = call.caller.scope;
  const usedOf = usageIn(deps, call);
  const own = new Map<string, { limit: number; used: number }>();
  for (const record of [...(await call.listAbove("quota")), ...(await readAll(call.records, "quota"))]) {
    const isOwn = record.reseller === reseller && record.client_id === client_id && record.resource_id === null;
    const row = isOwn && record.region === call.region ? await showQuota(record, usedOf) : undefined;
    if (row) own.set(record.quota, { limit: row.limit, used: row.used });
  }
  return Object.fromEntries(own);
}
