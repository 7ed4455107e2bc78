import { z } from "zod";
import { flag, instant, obj } from "../fields.ts";
import { Server } from "./iaas-resources.ts";

/** A restore of a backup: a job whose id is the `x-tg-job` of the request's answer. */
const BackupRestore = z.object({
  ended_date: instant.optional(),
  id: z.string(),
  message: z.string().optional(),
  name: z.string().optional(),
  requested_by: z.string(),
  requested_date: instant.optional(),
  state: z.string(),
  target: z.string(),
});

/** One backup on its own. */
export const Backup = z.object({
  allocated: z.number().optional(),
  canceled_by: z.string().optional(),
  id: z.string(),
  image: z.string().optional(),
  is_available: flag,
  is_full: flag,
  last_restore: instant.optional(),
  manual: flag,
  message: z.string().optional(),
  pool: z.string().optional(),
  primary_zone: z.string().optional(),
  process_time: z.int().optional(),
  processed_date: instant.optional(),
  protected_resource_id: z.string().optional(),
  region: z.string().optional(),
  resource_id: z.string(),
  resource_type: z.string(),
  restore: BackupRestore.optional(),
  restore_size: z.int().optional(),
  retries: z.int(),
  schedule_date: instant.optional(),
  secondary_zone: z.string().optional(),
  size: z.number().optional(),
  snapshot: z.string().optional(),
  state: z.string(),
  time_to_live: z.string().optional(),
  volume_type: z.string().optional(),
});
export type Backup = z.output<typeof Backup>;

/** When, how often and for how long backups are made; retentions are in days, the window in hours. */
export const BackupPolicy = z.object({
  avatar: z.string().optional(),
  backup_backend_rule: z.string().optional(),
  backup_strictness: z.string().optional(),
  backup_window: z.int(),
  created_at: instant.optional(),
  created_by: z.string().optional(),
  description: z.string().optional(),
  disabled_at: instant.optional(),
  disabled_by: z.string().optional(),
  id: z.string(),
  increment_policy: z.int(),
  /** True for a policy of the configuration, which only the configuration changes. */
  is_configured: flag,
  name: z.string(),
  notification_email: z.string().optional(),
  retention_primary: z.int(),
  retention_secondary: z.int(),
  retry: z.int(),
  schedule: z.string(),
  /** Of the schedule, and of the hours at which windows begin. */
  timezone: z.string(),
});
export type BackupPolicy = z.output<typeof BackupPolicy>;

/** How a project is protected. */
const BackupProject = z.object({
  allow_remove: flag,
  description: z.string().optional(),
  domain_id: z.string().optional(),
  enabled: flag,
  id: z.string(),
  is_domain: flag,
  links: obj.optional(),
  name: z.string(),
  options: obj.optional(),
  parent_id: z.string().optional(),
  policy: z.string().optional(),
  resource_policies: z.array(z.unknown()),
  tags: z.array(z.unknown()),
  unsafe_resources: z.array(z.unknown()),
  unsafe_vms: z.int().optional(),
  unsafe_volumes: z.int().optional(),
});

/** How a virtual machine is protected. */
const BackupVm = Server.omit({ fault: true }).extend({
  allow_remove: flag,
  policy: z.string().optional(),
  resource_policies: z.array(z.unknown()),
  unsafe_volumes: z.int().optional(),
});

/** How a volume is protected. */
const BackupVolume = z.object({
  allow_remove: flag,
  attachments: z.array(z.unknown()),
  device: z.string().optional(),
  id: z.string(),
  name: z.string(),
  policy: z.string().optional(),
  project_id: z.string().optional(),
  resource_policies: z.array(z.unknown()),
  size: z.int().optional(),
  /** `restoring` while a backup is written over it; absent otherwise. */
  state: z.string().optional(),
  type: z.string().optional(),
});

/** The additional fields of a single resource. */
const alone = { protected_resource_id: z.string().optional(), relaxed: flag };

/** The additional fields of a resource in a list. */
const listed = { policies: obj.optional(), protected_resources: z.array(z.unknown()) };

/** One backup in a list. */
export const BackupEntry = Backup.extend({
  canceled_at: instant.optional(),
  encrypted: flag,
  policy_id: z.string().optional(),
  project_id: z.string().optional(),
  reason: z.string().optional(),
  starting_hour: z.string().optional(),
  zone: z.string().optional(),
});
export type BackupEntry = z.output<typeof BackupEntry>;

/** A project on its own. */
export const BackupProjectDetail = BackupProject.extend(alone);
export type BackupProjectDetail = z.output<typeof BackupProjectDetail>;

/** A project in a list. */
export const BackupProjectEntry = BackupProject.extend(listed);
export type BackupProjectEntry = z.output<typeof BackupProjectEntry>;

/** A virtual machine on its own. */
export const BackupVmDetail = BackupVm.extend(alone);
export type BackupVmDetail = z.output<typeof BackupVmDetail>;

/** A virtual machine in a list. */
export const BackupVmEntry = BackupVm.extend(listed);
export type BackupVmEntry = z.output<typeof BackupVmEntry>;

/** A volume on its own. */
export const BackupVolumeDetail = BackupVolume.extend(alone);
export type BackupVolumeDetail = z.output<typeof BackupVolumeDetail>;

/** A volume in a list. */
export const BackupVolumeEntry = BackupVolume.extend(listed);
export type BackupVolumeEntry = z.output<typeof BackupVolumeEntry>;
