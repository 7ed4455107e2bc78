import { z } from "zod";
import { GatewayError } from "../../../engine/errors.ts";
import { describeSchemaFault } from "../../../engine/options/schema-fault.ts";
import { present } from "../../../engine/policy/drafts.ts";
import { policyExtras, policySettings } from "../../../operations/portal/infrastructure/backup-policies.ts";
import type { StoredBackupPolicy } from "../../../operations/records/backups.ts";
import { isSchedule } from "./schedule.ts";

const scheduleProblem = "must be a cron schedule of five fields, e.g. `0 2 * * *`";

const PolicyShape = z.strictObject({
  ...z.object(policyExtras).partial().shape,
  ...policySettings,
  name: z.string().trim().min(1).max(200).optional(),
  schedule: policySettings.schedule.refine(isSchedule, scheduleProblem),
  timezone: policySettings.timezone.default("UTC"),
  backup_window: policySettings.backup_window.default(24),
  increment_policy: policySettings.increment_policy.default(0),
  retry: policySettings.retry.default(2),
  /** Accepts no new resources, and is listed only on request. */
  disabled: z.boolean().default(false),
});

/** A backup policy of the configuration. */
export type BackupPolicySettings = z.input<typeof PolicyShape>;

/** A backup policy, checked. */
export interface BackupPlanPolicy extends Omit<z.output<typeof PolicyShape>, "name" | "retention_secondary"> {
  readonly id: string;
  readonly name: string;
  readonly retention_secondary: number;
  /** The record of a policy that was made through the portal; absent for one of the configuration. */
  readonly record?: StoredBackupPolicy | undefined;
}

/** Policies by their ids. */
export type Policies = ReadonlyMap<string, BackupPlanPolicy>;

/** The default policies. */
const standard: Readonly<Record<string, BackupPolicySettings>> = {
  daily: { name: "Daily", schedule: "0 2 * * *", increment_policy: 6, retention_primary: 30 },
  weekly: { name: "Weekly", schedule: "0 3 * * 0", retention_primary: 90 },
};

/** Checks the policies of the configuration. Throws `invalid_configuration` with the field's path. */
export function readPolicies(settings: Readonly<Record<string, BackupPolicySettings>> = standard): Policies {
  const policies = Object.entries(settings).map(([id, policy]): [string, BackupPlanPolicy] => {
    const checked = PolicyShape.safeParse(policy);
    if (checked.success) {
      const { name = id, retention_secondary = checked.data.retention_primary } = checked.data;
      return [id, { ...checked.data, id, name, retention_secondary }];
    }
    const { param, message } = describeSchemaFault(PolicyShape, checked.error);
    const field = [`backupPolicies.${id}`, param].filter(Boolean).join(".");
    throw new GatewayError("invalid_configuration", `\`${field}\`: ${message}.`, { param: field });
  });
  return new Map(policies);
}

/** Returns a policy that was made through the portal. */
export function storedPolicy(record: StoredBackupPolicy): BackupPlanPolicy {
  const { id, name, schedule, timezone, backup_window, increment_policy, retention_primary, retention_secondary } =
    record;
  const { description, backup_backend_rule, primary_zone, backup_strictness, notification_email, avatar } = record;
  return {
    ...{ id, name, schedule, timezone, backup_window, increment_policy, retention_primary, retention_secondary },
    ...{ retry: record.retry, disabled: record.disabled_at !== null, record },
    ...present({ description, backup_backend_rule, primary_zone, backup_strictness, notification_email, avatar }),
  };
}

/** Returns the policies of the configuration with those of the records. */
export function withStored(configured: Policies, records: readonly StoredBackupPolicy[]): Policies {
  return new Map([...records.map((record) => [record.id, storedPolicy(record)] as const), ...configured]);
}

/** Throws `invalid_request` for a text that is no schedule. */
export function checkSchedule(schedule: string): void {
  if (isSchedule(schedule)) return;
  throw new GatewayError("invalid_request", `\`schedule\`: ${scheduleProblem}.`, { param: "schedule" });
}

/** Returns a policy that accepts new resources. Throws `invalid_request`, which lists the known policies. */
export function findPolicy(policies: Policies, id: string): BackupPlanPolicy {
  const policy = policies.get(id);
  if (policy && !policy.disabled) return policy;
  const known = [...policies.values()].flatMap((each) => (each.disabled ? [] : each.id)).join(", ") || "none";
  throw new GatewayError(
    "invalid_request",
    `\`policy_id\`: unknown policy \`${id.slice(0, 100)}\`. Known policies: ${known}.`,
    {
      param: "policy_id",
    },
  );
}
