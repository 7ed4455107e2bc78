import type { StoredBackup, StoredBackupAssignment } from "../../api/portal/backups.ts";
import { change, readAll } from "../shelf.ts";
import { removeCopies } from "./expire.ts";
import { makeBackup } from "./make.ts";
import { moveBackup } from "./move.ts";
import { isAwaited, passOn, planBackup } from "./plan.ts";
import { cancel, enqueue, failOnce, isAbandoned } from "./state.ts";
import type { Works } from "./works.ts";

/** Backups that one process makes at a time. */
const atOnce = 4;

/**
 * One round: plans what is ahead, queues what is due, takes back what died, makes what is queued, removes what has expired. All that it
 * knows is in the store, every step can be taken twice, and who writes first takes the job: any number of processes may go round, and any
 * of them may die at any point.
 */
export async function goRound(works: Works): Promise<void> {
  const { records, regions } = works;
  const assignments = await readAll(records, "backup_assignment");
  for (const assignment of assignments) await planAhead(works, assignment);
  const now = works.clock.now();
  const backups = (await readAll(records, "backup")).filter(({ region }) => regions[region]?.backups !== undefined);
  for (const backup of backups) {
    if (isAbandoned(backup, now)) await takeBack(works, backup);
    else if (backup.state === "scheduled") await forgetUnawaited(works, backup);
  }
  const waiting = backups.filter((backup) => backup.state === "queued" || isAbandoned(backup, now));
  for (let at = 0; at < waiting.length; at += atOnce)
    await Promise.all(waiting.slice(at, at + atOnce).map((backup) => makeBackup(works, backup.id)));
  for (const backup of backups) await removeCopies(works, backup.id);
}

/**
 * A backup that nobody would ever queue: planned while its policy was taken off the resource, or under another id than it has today, as
 * earlier versions did; the same one is planned again under its own.
 */
async function forgetUnawaited({ records, clock }: Works, backup: StoredBackup): Promise<void> {
  const assignment = (await records.get("backup_assignment", backup.assignment_id))?.record;
  if (assignment && isAwaited(backup, assignment)) return;
  await moveBackup(records, backup.id, (present) => cancel(present, "the scheduler", clock.now()));
}

/** Writes the backup that an assignment waits for, and queues it when it is due. */
async function planAhead({ records, policies, clock }: Works, assignment: StoredBackupAssignment): Promise<void> {
  const { next_at: due, policy_id } = assignment;
  const policy = policies.get(policy_id);
  if (due === null || policy === undefined) return;
  const planned = planBackup(assignment, due, policy);
  await records.put("backup", planned, 0); // what is there already stays
  const stored = await records.get("backup", planned.id);
  const isAhead = stored?.record.state === "scheduled" && clock.now() < due;
  if (isAhead) return;
  if (stored?.record.state === "scheduled") await moveBackup(records, planned.id, enqueue);
  const by = (present: StoredBackupAssignment) => passOn(present, { due, policy, now: clock.now() });
  if (!(await records.get("backup_assignment", assignment.id))) return;
  const { next_at, ...next } = await change(records, "backup_assignment", { id: assignment.id, by });
  if (next_at !== null) await records.put("backup", planBackup({ ...next, next_at }, next_at, policy), 0);
}

/** Whose process died is tried again, as if it had failed. */
async function takeBack({ records, policies, clock }: Works, backup: StoredBackup): Promise<void> {
  const now = clock.now();
  const retry = policies.get(backup.policy_id)?.retry ?? 0;
  const message = "Whoever made it stopped before it was done.";
  await moveBackup(records, backup.id, (present) =>
    isAbandoned(present, now) ? failOnce(present, { message, retry, now }) : present,
  );
}
