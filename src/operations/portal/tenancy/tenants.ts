import { z } from "zod";
import { op } from "../../define.ts";
import { flag, instant, title } from "../fields.ts";

/**
 * A reseller, or a client of one. `enabled` is its own switch; `is_usable` is false as well where its reseller is disabled or in the bin.
 * `users` and `keys` count what lies at it or below; `cost_this_month` is what its keys cost since the month began in UTC, in US dollars.
 */
export const PortalTenant = z.object({
  id: z.string(),
  level: z.enum(["reseller", "client"]),
  reseller: z.string(),
  client_id: z.string().nullable(),
  name: z.string(),
  contact: z.string().optional(),
  enabled: flag,
  status: z.enum(["active", "bin"]),
  is_usable: flag,
  deleted_at: instant.optional(),
  created_at: instant,
  users: z.int(),
  keys: z.int(),
  cost_this_month: z.number(),
});
export type PortalTenant = z.output<typeof PortalTenant>;

/** The name of a place in the tree of tenants; it never changes. */
const place = z.string().trim().min(1).max(128);
const contact = z.email().max(254);
const isExtension = true;

/** Tenants: resellers, and their clients. */
export const tenants = {
  list: op("GET /tenants", "tenants-get", "List the tenants of the caller; those in the bin with `status=bin`", {
    in: { status: z.enum(["active", "bin"]).optional() },
    out: z.array(PortalTenant),
    isExtension,
  }),
  create: op("POST /tenants", "tenants-post", "Create a reseller, or with `client_id` a client of one", {
    in: {
      reseller: place.optional(),
      client_id: place.optional(),
      name: title.optional(),
      contact: contact.optional(),
    },
    out: PortalTenant,
    isExtension,
    rules: ["`reseller` is required at the provider's level."],
  }),
  get: op("GET /tenants/{tenant_id}", "tenant-get", "Read one tenant", { out: PortalTenant, isExtension }),
  change: op(
    "PATCH /tenants/{tenant_id}",
    "tenant-patch",
    "Change a tenant's name or contact; null removes the contact",
    {
      in: { name: title.optional(), contact: contact.nullable().optional() },
      out: PortalTenant,
      isExtension,
    },
  ),
  disable: op(
    "PATCH /tenants/{tenant_id}/disable",
    "tenant_disable-patch",
    "Disable a tenant: the users and keys at it and below are refused",
    { isExtension },
  ),
  enable: op("PATCH /tenants/{tenant_id}/enable", "tenant_enable-patch", "Enable a tenant", { isExtension }),
  restore: op("PATCH /tenants/{tenant_id}/restore", "tenant_restore-patch", "Take a tenant out of the bin", {
    isExtension,
  }),
  delete: op(
    "DELETE /tenants/{tenant_id}",
    "tenant-delete",
    "Move a tenant to the bin; one that lies there and is empty is removed for good",
    { isExtension },
  ),
};
