import { z } from "zod";
import { op } from "../../define.ts";
import { amount, fieldName, level, obj } from "../fields.ts";

/** How much of a quota a client has for a resource, and how much of it is used. */
export const QuotaRow = z.object({
  client_id: z.string(),
  reseller: z.string(),
  resource_id: z.string(),
  limit: amount,
  used: amount,
});
export type QuotaRow = z.output<typeof QuotaRow>;

/** Quotas and their profiles. An empty `resource_id`, `client_id` or `reseller` means the level above. */
export const quotas = {
  profiles: op("GET /profile/quota", "quota_profile-get", "Read quota profiles and the caller's quotas", {
    out: z.object({ my_quotas: obj, profiles: z.array(z.unknown()) }),
  }),
  applyProfile: op("POST /profile/quota/{profile_id}", "quota_profile_show-post", "Apply a quota profile", {
    in: { client_id: level.optional(), reseller_name: level.optional(), resource_id: level.optional() },
    rules: ["`reseller_name` must not be empty where `client_id` names a client."],
  }),
  list: op("GET /quota", "quota-get", "Read quotas by name", { out: z.record(z.string(), z.array(z.unknown())) }),
  set: op("POST /quota", "quota-post", "Set a quota", {
    in: { client_id: level, limit: amount, quota: fieldName, reseller: level, resource_id: level },
    out: obj,
    rules: ["`reseller` must not be empty where `client_id` names a client."],
  }),
  increase: op("POST /quota/increase", "quota_increase-post", "Raise a quota by an amount", {
    in: { client_id: level, reseller: level, resource_id: level, quota: fieldName, increase: amount.min(1) },
    out: QuotaRow,
    isExtension: true,
    rules: ["`reseller` must not be empty where `client_id` names a client."],
  }),
};
