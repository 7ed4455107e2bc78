import type { RowInput } from "../../../operations/portal/table.ts";
import type { StoredBackupPolicy } from "../../../operations/records/backups.ts";
import { type PortalCall, scopeAt } from "../../call/call.ts";
import { checkSchedule } from "../planning/policy.ts";

type PolicyDraft = RowInput<"backups.createPolicy">;
type PolicyPatch = Omit<RowInput<"backups.changePolicy">, "policy_id">;

/** Returns a new policy of the caller's level, with the defaults of what the draft leaves out. */
export function draftPolicy(id: string, draft: PolicyDraft, { caller, now }: PortalCall): StoredBackupPolicy {
  checkSchedule(draft.schedule);
  const { name, schedule, retention_primary } = draft;
  return {
    ...{ id, created_at: new Date(now).toISOString(), ...scopeAt(caller.scope) },
    ...{ created_by: caller.user.username, disabled_at: null, disabled_by: null },
    ...{ name, schedule, retention_primary },
    timezone: draft.timezone ?? "UTC",
    backup_window: draft.backup_window ?? 24,
    increment_policy: draft.increment_policy ?? 0,
    retention_secondary: draft.retention_secondary ?? retention_primary,
    retry: draft.retry ?? 2,
    description: draft.description ?? null,
    backup_backend_rule: draft.backup_backend_rule ?? null,
    primary_zone: draft.primary_zone ?? null,
    backup_strictness: draft.backup_strictness ?? null,
    notification_email: draft.notification_email ?? null,
    avatar: draft.avatar ?? null,
  };
}

/** Returns a policy with the fields of a patch. Null takes a setting away. */
export function patchPolicy(
  present: StoredBackupPolicy,
  { disabled, ...patch }: PolicyPatch,
  { caller, now }: PortalCall,
): StoredBackupPolicy {
  if (patch.schedule !== undefined) checkSchedule(patch.schedule);
  const set = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  const next = { ...present, ...set };
  if (disabled === undefined || disabled === (present.disabled_at !== null)) return next;
  if (!disabled) return { ...next, disabled_at: null, disabled_by: null };
  return { ...next, disabled_at: new Date(now).toISOString(), disabled_by: caller.user.username };
}
