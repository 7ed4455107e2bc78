import type { StoredBackup, StoredBackupAssignment } from "../../../operations/records/backups.ts";
import { change, readAll } from "../../tenancy/record-access.ts";
import { moveBackup } from "../move.ts";
import { isAwaited, passOn, planBackup } from "../planning/plan.ts";
import { withStored } from "../planning/policy.ts";
import { cancel, enqueue, failOnce, isAbandoned, isWaiting } from "../planning/state.ts";
import type { BackupDeps } from "./backup-deps.ts";
import { removeCopies } from "./expire.ts";
import { makeBackup } from "./make.ts";
import { createRunQueue, graceMs, type QueuedRun, type RunQueue } from "./run-queue.ts";

/**
 * One tick: plans the next backups, queues the due ones, takes over those of dead processes, starts the queued ones, removes the expired
 * ones. It waits neither for one that hangs nor before it removes what has expired. All its state is in the store, every step can be repeated, and the first process to write gets the job: any number of processes
 * may run ticks, and any of them may die at any point.
 */
export async function schedulerTick(works: BackupDeps, queue: RunQueue = createRunQueue()): Promise<void> {
  const { records, regions } = works;
  const deps = { ...works, policies: withStored(works.policies, await readAll(records, "backup_policy")) };
  const assignments = await readAll(records, "backup_assignment");
  for (const assignment of assignments) await planAhead(deps, assignment);
  const now = deps.clock.now();
  const backups = (await readAll(records, "backup")).filter(({ region }) => regions[region]?.backups !== undefined);
  for (const backup of backups) {
    if (isAbandoned(backup, now)) await takeBack(deps, backup);
    else if (backup.state === "scheduled") await forgetUnawaited(deps, backup);
  }
  const waiting = backups.filter((backup) => isWaiting(backup, now) || isAbandoned(backup, now));
  queue.add(waiting.map((backup) => runOf(deps, backup)));
  for (const backup of backups) await removeCopies(deps, backup.id);
  await queue.settled(deps.clock, graceMs);
}

function runOf(deps: BackupDeps, { id, region, reseller, client_id }: StoredBackup): QueuedRun {
  return { id, region, tenant: JSON.stringify([reseller, client_id]), run: () => makeBackup(deps, id) };
}

/**
 * Finds a backup that would never be queued: planned while its policy was removed from the resource, or by an earlier version under
 * another id. The same backup is planned again under its own id.
 */
async function forgetUnawaited({ records, clock }: BackupDeps, backup: StoredBackup): Promise<void> {
  const assignment = (await records.get("backup_assignment", backup.assignment_id))?.record;
  if (assignment && isAwaited(backup, assignment)) return;
  await moveBackup(records, backup.id, (present) => cancel(present, "the scheduler", clock.now()));
}

/** Writes the next backup of an assignment, and queues it when it is due. */
async function planAhead({ records, policies, clock }: BackupDeps, assignment: StoredBackupAssignment): Promise<void> {
  const { next_at: due, policy_id } = assignment;
  const policy = policies.get(policy_id);
  if (due === null || policy === undefined) return;
  const planned = planBackup(assignment, due, policy);
  await records.put("backup", planned, 0); // keeps a record that exists
  const stored = await records.get("backup", planned.id);
  const isAhead = stored?.record.state === "scheduled" && clock.now() < due;
  if (isAhead) return;
  if (stored?.record.state === "scheduled") await moveBackup(records, planned.id, enqueue);
  const by = (present: StoredBackupAssignment) => passOn(present, { due, policy, now: clock.now() });
  if (!(await records.get("backup_assignment", assignment.id))) return;
  const { next_at, ...next } = await change(records, "backup_assignment", { id: assignment.id, by });
  if (next_at !== null) await records.put("backup", planBackup({ ...next, next_at }, next_at, policy), 0);
}

/** Retries the backup of a dead process, as after a failure. */
async function takeBack({ records, policies, clock }: BackupDeps, backup: StoredBackup): Promise<void> {
  const now = clock.now();
  const { retry = 0, backup_window: window = 24, timezone = "UTC" } = policies.get(backup.policy_id) ?? {};
  const message = "The process that made the backup stopped before it was done.";
  await moveBackup(records, backup.id, (present) =>
    isAbandoned(present, now)
      ? failOnce(present, { message, retry, window, timezone, now, isAbandoned: true })
      : present,
  );
}
