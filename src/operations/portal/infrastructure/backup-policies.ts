import { z } from "zod";
import { TimeZone } from "../../../engine/api/limits/time-zone.ts";
import { op } from "../../define.ts";
import { flag, hour, note, title } from "../fields.ts";
import { BackupPolicy } from "./backup-resources.ts";

/** Cron, five fields, by the wall clock of the policy's time zone. */
const schedule = z.string().max(200);

/** Hours, counted from the hour that an assignment begins with, in which backups may begin. */
const window = z.int().min(1).max(24);
const days = z.int().min(1).max(36_500);
const zone = z.string().min(1).max(200);

/** The settings of a backup policy that may be left out, or taken away with null. */
export const policyExtras = {
  description: note,
  /** The zone of the second copy; no second copy without one. */
  backup_backend_rule: zone,
  primary_zone: zone,
  backup_strictness: z.string().max(200),
  notification_email: z.email().max(320),
  avatar: z.string().max(2_000),
};

const extras = z.object(policyExtras);
type Extras = typeof policyExtras;
const removable = Object.fromEntries(
  Object.entries(extras.shape).map(([name, field]) => [name, field.nullable().optional()]),
) as { readonly [Name in keyof Extras]: z.ZodOptional<z.ZodNullable<Extras[Name]>> }; // seam: entries lose their names

/** The settings that a backup policy always has; those that are optional have defaults. */
export const policySettings = {
  schedule,
  /** Of the schedule and of the hours at which windows begin. Default: UTC. */
  timezone: TimeZone.optional(),
  backup_window: window.optional(),
  /** Incremental backups between two full ones. */
  increment_policy: z.int().min(0).max(365).optional(),
  /** Days for which the copies in the two zones are kept. */
  retention_primary: days,
  retention_secondary: days.optional(),
  /** Retries after the first failed attempt. */
  retry: z.int().min(0).max(10).optional(),
};

/** The operations that change backup policies, which are ours. */
export const policyOperations = {
  createPolicy: op("POST /backup/policies", "backup_policies-post", "Create a backup policy", {
    in: { name: title, ...policySettings, ...removable },
    out: BackupPolicy,
    isExtension: true,
  }),
  changePolicy: op("PATCH /backup/policies/{policy_id}", "backup_policy-patch", "Change or disable a backup policy", {
    in: { ...z.object({ name: title, ...policySettings }).partial().shape, ...removable, disabled: flag.optional() },
    out: BackupPolicy,
    isExtension: true,
  }),
  deletePolicy: op(
    "DELETE /backup/policies/{policy_id}",
    "backup_policy-delete",
    "Delete a backup policy that nothing uses",
    { isExtension: true },
  ),
  previewPolicy: op("POST /backup/policies/preview", "backup_policy_preview-post", "Preview the runs of a schedule", {
    in: {
      schedule,
      starting_hour: hour,
      timezone: TimeZone.optional(),
      backup_window: window.optional(),
      count: z.int().min(1).max(50).optional(),
    },
    out: z.object({
      timezone: z.string(),
      /** `local` is what the clocks of the time zone show, with their offset from UTC. */
      runs: z.array(z.object({ at: z.iso.datetime(), local: z.iso.datetime({ offset: true }) })),
    }),
    isExtension: true,
    isQuery: true,
  }),
};
