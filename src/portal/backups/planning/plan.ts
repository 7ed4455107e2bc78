import { hash } from "node:crypto";
import type { StoredBackup, StoredBackupAssignment } from "../../../operations/records/backups.ts";
import type { BackupPlanPolicy } from "./policy.ts";
import { nextRun } from "./schedule.ts";

const dayMs = 86_400_000;

/** The time of the next backup of a resource under a policy, after an instant. */
export function nextDue(policy: BackupPlanPolicy, starting_hour: number, after: number): number {
  const { schedule, timezone, backup_window: window } = policy;
  return nextRun({ schedule, timezone, window, startingHour: starting_hour }, after);
}

/**
 * Returns the id of an assignment's backup. It is derived from the due time, so that planning twice plans once. An assignment that was
 * removed and made again has other ids, because the backups of the first were canceled.
 */
function backupId({ id, created_at }: StoredBackupAssignment, due: number): string {
  return `bkp_${hash("sha256", `${id}/${created_at}/${due}`, "hex").slice(0, 24)}`;
}

/** True for the next backup of an assignment. */
export function isAwaited({ id }: StoredBackup, assignment: StoredBackupAssignment): boolean {
  return assignment.next_at !== null && backupId(assignment, assignment.next_at) === id;
}

/** The backup that is scheduled for an assignment now. */
export function planBackup(assignment: StoredBackupAssignment, due: number, policy: BackupPlanPolicy): StoredBackup {
  const { id, reseller, client_id, user_id = null, region, resource_id, project_id, runs } = assignment;
  const { protected_resource_id, policy_id, starting_hour } = assignment;
  return {
    id: backupId(assignment, due),
    created_at: new Date(due).toISOString(),
    ...{
      reseller,
      client_id,
      user_id,
      region,
      resource_id,
      project_id,
      protected_resource_id,
      policy_id,
      starting_hour,
    },
    ...{ assignment_id: id, resource_type: "volume", state: "scheduled", scheduled_at: due, manual: false },
    is_full: runs % (policy.increment_policy + 1) === 0,
    ...{
      retries: 0,
      maker: null,
      lease_until: null,
      copies: [],
      parent_id: null,
      size: null,
      allocated: null,
      volume_type: null,
    },
    ...{ started_at: null, processed_at: null, last_restore: null, canceled_at: null, canceled_by: null },
    ...{ message: null, reason: null },
  };
}

/** Returns the assignment after the backup of `due`, with its next due time. Missed backups are not made up for. */
export function passOn(
  assignment: StoredBackupAssignment,
  { due, policy, now }: { readonly due: number; readonly policy: BackupPlanPolicy; readonly now: number },
): StoredBackupAssignment {
  if (assignment.next_at !== due) return assignment; // another process was faster
  const next_at = nextDue(policy, assignment.starting_hour, Math.max(due, now));
  return { ...assignment, next_at, runs: assignment.runs + 1 };
}

/** Returns the zone and end of a copy that a backup still lacks; undefined when it has all. */
export function nextCopy(backup: StoredBackup, policy: BackupPlanPolicy, now: number) {
  const { primary_zone = null, backup_backend_rule, retention_primary, retention_secondary } = policy;
  if (backup.copies.length === 0) return { zone: primary_zone, expires_at: now + retention_primary * dayMs };
  if (backup.copies.length > 1 || backup_backend_rule === undefined) return undefined;
  return { zone: backup_backend_rule, expires_at: now + retention_secondary * dayMs };
}

/** What a copy can build on: the driver's id of it, and the backup that it is a copy of. */
export interface ParentCopy {
  readonly id: string;
  readonly snapshot: string;
}

/**
 * Returns the newest copy of the resource in a zone that can be the parent of an incremental one: of an available backup, not removed,
 * and not about to expire. The copies of one zone form a chain of their own.
 */
export function findParent(
  backup: StoredBackup,
  others: readonly StoredBackup[],
  { zone, now }: { readonly zone: string | null; readonly now: number },
): ParentCopy | undefined {
  const able = others.flatMap(({ state, assignment_id, id, copies, processed_at }) => {
    if (state !== "available" || assignment_id !== backup.assignment_id || id === backup.id) return [];
    const copy = copies.find((one) => one.zone === zone && !one.is_removed && one.expires_at > now);
    return copy === undefined || processed_at === null ? [] : [{ id, snapshot: copy.snapshot, processed_at }];
  });
  return able.sort((one, other) => other.processed_at - one.processed_at)[0];
}

const alive: ReadonlySet<StoredBackup["state"]> = new Set(["queued", "running", "available"]);

/** True while stored or planned copies of other backups build on this copy. */
export function isNeeded(backup: StoredBackup, snapshot: string, others: readonly StoredBackup[]): boolean {
  return others.some(({ state, parent_id, pending_parent, copies }) => {
    if (!alive.has(state)) return false;
    if (pending_parent === snapshot) return true;
    const isOlder = parent_id === backup.id; // copies of older versions do not say what they build on
    return copies.some(
      ({ is_removed, parent }) => !is_removed && (parent === undefined ? isOlder : parent === snapshot),
    );
  });
}
