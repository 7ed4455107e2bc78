import { z } from "zod";
import { flag, instant, obj } from "../fields.ts";

/** A domain: the top of the infrastructure's tenants. */
export const Domain = z.object({
  description: z.string().optional(),
  enabled: flag,
  id: z.string(),
  links: obj.optional(),
  name: z.string(),
  options: obj.optional(),
  tags: z.array(z.unknown()),
});
export type Domain = z.output<typeof Domain>;

/** A project of the infrastructure. */
export const IaasProject = z.object({
  client: z.string().optional(),
  client_name: z.string().optional(),
  description: z.string().optional(),
  /** False where the domain is disabled: nothing of it works then, whatever `enabled` says. Absent otherwise. */
  domain_enabled: flag.optional(),
  domain_id: z.string().optional(),
  domain_name: z.string().optional(),
  enabled: flag,
  id: z.string(),
  name: z.string(),
  reseller: z.string().optional(),
  /**
   * `purging` while it is deleted with all that is in it, `stuck` where that went no further, and for what a failed creation has left: the
   * portal deletes that as soon as the cloud lets it. Absent otherwise.
   */
  state: z.enum(["stuck", "purging"]).optional(),
  updated: instant.optional(),
});
export type IaasProject = z.output<typeof IaasProject>;

/** A credential of a project; `blob` never shows its secret. */
export const IaasCredential = z.object({
  active: flag,
  blob: z.string().optional(),
  id: z.string(),
  project_id: z.string().optional(),
  type: z.string().optional(),
  user_id: z.string().optional(),
  user_name: z.string().optional(),
});
export type IaasCredential = z.output<typeof IaasCredential>;

/** A virtual machine. */
export const Server = z.object({
  addresses: obj.optional(),
  client: z.string().optional(),
  created: instant.optional(),
  /** Why a server in the state `ERROR` is there, in the portal's words. */
  fault: z.object({ code: z.enum(["no_capacity", "failed"]), message: z.string() }).optional(),
  flavor: obj.optional(),
  host_id: z.string().optional(),
  id: z.string(),
  image: obj.optional(),
  key_name: z.string().optional(),
  metadata: obj.optional(),
  name: z.string(),
  project_id: z.string().optional(),
  project_name: z.string().optional(),
  reseller: z.string().optional(),
  status: z.string().optional(),
  updated: instant.optional(),
  user_id: z.string().optional(),
});
export type Server = z.output<typeof Server>;

/** A kind of volume. */
export const VolumeType = z.object({
  description: z.string().optional(),
  extra_specs: obj.optional(),
  id: z.string(),
  is_public: flag,
  name: z.string(),
  qos_specs_id: z.string().nullable(),
});
export type VolumeType = z.output<typeof VolumeType>;

/** An availability zone. */
export const AvailabilityZone = z.object({
  zoneName: z.string(),
  zoneState: obj,
});
export type AvailabilityZone = z.output<typeof AvailabilityZone>;

/** The quotas of a project after a change. */
export const ProjectQuotaResult = z.object({
  api_export_size: z.int().optional(),
  quota: obj.optional(),
  quota_set: obj.optional(),
  recordset_records: z.int().optional(),
  zone_records: z.int().optional(),
  zone_recordsets: z.int().optional(),
  zones: z.int().optional(),
});
export type ProjectQuotaResult = z.output<typeof ProjectQuotaResult>;
