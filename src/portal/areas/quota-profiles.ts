import { GatewayError } from "../../errors.ts";
import type { PortalCall } from "../call.ts";
import { giftOf } from "../profiles/effective.ts";
import { findProfile, knownProfiles } from "../profiles/known.ts";
import { showProfile } from "../profiles/show.ts";
import type { Queue } from "../queue.ts";
import { type QuotaTools, setAll, showQuota, usageIn } from "../quotas/apply.ts";
import { findPlace } from "../quotas/place.ts";
import type { AreaBackend } from "../regions.ts";
import { readAll } from "../shelf.ts";

const quotaGift = { type: "quota" } as const;

/** Profiles of quotas: sets of limits that are set together. */
export function quotaProfileCalls(tools: QuotaTools, queue: Queue) {
  return {
    async profiles(_input, call) {
      const { book, visible } = await knownProfiles(call);
      const profiles = visible
        .map((profile) => ({ profile, gift: giftOf(book, profile.id, quotaGift) }))
        .filter(({ profile, gift }) => profile.type === "quota" || gift.size > 0)
        .map(({ profile, gift }) => ({ ...showProfile(profile), quotas: Object.fromEntries(gift) }));
      return { my_quotas: await ownQuotas(tools, call), profiles };
    },
    async applyProfile({ profile_id, reseller_name, client_id, resource_id }, call) {
      const { place: own } = call.caller;
      const named = { reseller: reseller_name ?? own.reseller, client_id: client_id ?? own.client_id, resource_id };
      const place = findPlace(named, call);
      const known = await knownProfiles(call);
      const { id } = findProfile(known, profile_id, own);
      const limits = [...giftOf(known.book, id, quotaGift)].map(([name, limit = 0]) => [name, limit] as const);
      if (limits.length === 0) {
        const message = `\`profile_id\`: the profile \`${profile_id}\` holds no quota.`;
        throw new GatewayError("invalid_request", message, { param: "profile_id" });
      }
      await queue(() => setAll(tools, { place, limits }, call));
    },
  } satisfies AreaBackend<"quotas">;
}

/** What the caller's own level has, by the quota's name. */
async function ownQuotas(
  tools: QuotaTools,
  call: PortalCall,
): Promise<Record<string, { limit: number; used: number }>> {
  const { reseller = null, client_id = null } = call.caller.place;
  const usedOf = usageIn(tools, call);
  const own = new Map<string, { limit: number; used: number }>();
  for (const record of [...(await call.listAbove("quota")), ...(await readAll(call.records, "quota"))]) {
    const isOwn = record.reseller === reseller && record.client_id === client_id && record.resource_id === null;
    const row = isOwn && record.region === call.region ? await showQuota(record, usedOf) : undefined;
    if (row) own.set(record.quota, { limit: row.limit, used: row.used });
  }
  return Object.fromEntries(own);
}
