import { z } from "zod";
import { GatewayError } from "../../../errors.ts";
import { describeIssues } from "../../../runtime/issues.ts";
import { isSchedule } from "./schedule.ts";

const PolicyShape = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(2_000).optional(),
  /** Cron, five fields, UTC. */
  schedule: z.string().refine(isSchedule, "must be a cron schedule of five fields, e.g. `0 2 * * *`"),
  /** Hours, counted from the hour that an assignment begins with, in which backups may begin. */
  backup_window: z.int().min(1).max(24).default(24),
  /** Incremental backups between two full ones. */
  increment_policy: z.int().min(0).max(365).default(0),
  /** Days for which the copies in the two zones are kept. */
  retention_primary: z.int().min(1).max(36_500),
  retention_secondary: z.int().min(1).max(36_500).optional(),
  /** Retries after the first failed attempt. */
  retry: z.int().min(0).max(10).default(2),
  /** The zone of the second copy; no second copy without one. */
  backup_backend_rule: z.string().min(1).max(200).optional(),
  primary_zone: z.string().min(1).max(200).optional(),
  backup_strictness: z.string().max(200).optional(),
  notification_email: z.email().optional(),
  avatar: z.string().max(2_000).optional(),
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
    const { param, message } = describeIssues(checked.error.issues);
    const field = [`backupPolicies.${id}`, param].filter(Boolean).join(".");
    throw new GatewayError("invalid_configuration", `\`${field}\`: ${message}.`, { param: field });
  });
  return new Map(policies);
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
