import { present } from "../../../engine/policy/drafts.ts";
import type { Backup, BackupEntry, BackupPolicy } from "../../../operations/portal/infrastructure/backup-resources.ts";
import type { StoredBackup, StoredBackupRestore } from "../../../operations/records/backups.ts";
import type { BackupPlanPolicy } from "../planning/policy.ts";
import { isActive } from "../planning/restore-states.ts";

const instant = (ms: number | null) => (ms === null ? undefined : new Date(ms).toISOString());

/** The latest restore of each backup, by the backup's id. */
export type LatestRestores = ReadonlyMap<string, StoredBackupRestore>;

/** A backup on its own. It is `restoring` while a restore of it waits or runs. */
export function showBackup(stored: StoredBackup, restores: LatestRestores): Backup {
  const restore = restores.get(stored.id);
  const state = restore !== undefined && isActive(restore) ? "restoring" : stored.state;
  const { id, is_full, manual, resource_id, resource_type, retries, copies, started_at, processed_at } = stored;
  const storedCopies = copies.filter(({ is_removed }) => !is_removed);
  const ends = Math.max(...storedCopies.map(({ expires_at }) => expires_at));
  return {
    ...{ id, state, is_full, manual, resource_id, resource_type, retries },
    is_available: stored.state === "available",
    ...(restore === undefined ? {} : { restore: showRestore(restore) }),
    ...present({
      ...{ allocated: stored.allocated, size: stored.size, volume_type: stored.volume_type, message: stored.message },
      ...{
        protected_resource_id: stored.protected_resource_id,
        region: stored.region,
        canceled_by: stored.canceled_by,
      },
      restore_size: stored.size === null ? null : Math.round(stored.size),
      last_restore: instant(stored.last_restore),
      processed_date: instant(processed_at),
      process_time:
        started_at === null || processed_at === null ? null : Math.round((processed_at - started_at) / 1_000),
      schedule_date: instant(stored.scheduled_at),
      snapshot: storedCopies[0]?.snapshot,
      primary_zone: copies[0]?.zone,
      secondary_zone: copies[1]?.zone,
      time_to_live: Number.isFinite(ends) ? instant(ends) : null,
    }),
  };
}

function showRestore({ id, state, target, requested_at, requested_by, ended_at, message }: StoredBackupRestore) {
  const dates = { requested_date: new Date(requested_at).toISOString(), ended_date: instant(ended_at) };
  const name = target.kind === "source" ? undefined : target.name;
  return { id, state, target: target.kind, requested_by, ...present({ ...dates, name, message }) };
}

/** A backup in a list. */
export function showEntry(stored: StoredBackup, restores: LatestRestores): BackupEntry {
  const { policy_id, project_id, reason, starting_hour, canceled_at, copies } = stored;
  return {
    ...showBackup(stored, restores),
    encrypted: false,
    policy_id,
    starting_hour: String(starting_hour),
    ...present({ project_id, reason, canceled_at: instant(canceled_at), zone: copies[0]?.zone }),
  };
}

/** A policy of the configuration, or one that was made through the portal. */
export function showPolicy({
  disabled: _sent,
  primary_zone: _inner,
  record,
  ...policy
}: BackupPlanPolicy): BackupPolicy {
  const { id, name, schedule, backup_window, increment_policy, retention_primary, retention_secondary, retry } = policy;
  const { timezone, description, avatar, backup_backend_rule, backup_strictness, notification_email } = policy;
  const { created_at, created_by, disabled_at, disabled_by } = record ?? {};
  return {
    ...{ id, name, schedule, backup_window, increment_policy, retention_primary, retention_secondary, retry },
    ...{ timezone, is_configured: record === undefined },
    ...present({ description, avatar, backup_backend_rule, backup_strictness, notification_email }),
    ...present({ created_at, created_by, disabled_at, disabled_by }),
  };
}
