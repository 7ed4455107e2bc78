import { createAborter } from "../../abortable.ts";
import type { StoredBackup } from "../../api/portal/backups.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";
import type { BackupDriver, BackupJob } from "../backup-driver.ts";
import { readAll } from "../shelf.ts";
import { moveBackup } from "./move.ts";
import { findParent, nextCopy } from "./plan.ts";
import type { Policy } from "./policy.ts";
import { addCopy, expectMaker, failOnce, leaseMs, renew, start, succeed } from "./state.ts";
import type { Works } from "./works.ts";

/** A backup that this process makes. */
interface Making {
  readonly works: Works;
  readonly driver: BackupDriver;
  readonly policy: Policy;
  readonly maker: string;
}

/** Makes a queued backup, unless somebody else was faster: all its copies, tried again by the policy, told of when it fails for good. */
export async function makeBackup(works: Works, id: string): Promise<void> {
  const { records, regions, policies, clock } = works;
  const maker = works.newId("mkr");
  const begun = await moveBackup(records, id, (present) => start(present, maker, clock.now()));
  if (begun === undefined) return;
  const policy = policies.get(begun.policy_id);
  const driver = regions[begun.region]?.backups;
  const stopRenewing = keepLease(works, id, maker);
  try {
    if (!policy || !driver)
      throw new GatewayError("not_implemented", "Its policy or its back end is not there any more.");
    await makeCopies({ works, driver, policy, maker }, begun);
  } catch (thrown) {
    const { message } = toGatewayError(thrown);
    await noteFailure(works, id, (present) => {
      return failOnce(expectMaker(present, maker), { message, retry: policy?.retry ?? 0, now: clock.now() });
    });
  } finally {
    stopRenewing();
  }
}

async function makeCopies({ works, driver, policy, maker }: Making, begun: StoredBackup): Promise<void> {
  const { records, clock, underway } = works;
  const signal = underway.get(begun.id) ?? createAborter();
  let backup: StoredBackup | undefined = begun;
  for (let copy = nextCopy(begun, policy, clock.now()); copy && backup; copy = nextCopy(backup, policy, clock.now())) {
    const { zone, expires_at } = copy;
    const { job, parent_id } = await jobOf(works, backup, zone);
    if (parent_id !== backup.parent_id) {
      // what it builds on is noted before it is made: from now on nobody removes that
      backup = await moveBackup(records, begun.id, (present) => ({ ...expectMaker(present, maker), parent_id }));
      if (backup === undefined) return;
    }
    const made = await driver.create(job, { signal, now: clock.now() });
    const kept = { zone, expires_at, snapshot: made.snapshot, is_removed: false };
    backup = await moveBackup(records, begun.id, (present) => addCopy(present, maker, { made, copy: kept }));
    if (backup === undefined) return dropUnwanted({ works, driver }, begun.id, made.snapshot);
  }
  await moveBackup(records, begun.id, (present) => succeed(present, maker, clock.now()));
}

/**
 * Removes what was made for a backup that is not ours to make any more, unless it is still wanted: somebody else makes the same backup
 * now, which to the driver is this one, or has noted it already.
 */
async function dropUnwanted(
  { works: { records, clock }, driver }: Pick<Making, "works" | "driver">,
  id: string,
  snapshot: string,
): Promise<void> {
  const present = (await records.get("backup", id))?.record;
  if (present?.state === "queued" || present?.state === "running") return;
  if (present?.copies.some((copy) => copy.snapshot === snapshot)) return;
  await driver.remove(snapshot, { signal: createAborter(), now: clock.now() });
}

/** What the driver is asked for; a backup that has nothing to build on is a full one. A second copy builds on nothing. */
async function jobOf({ records, clock }: Works, backup: StoredBackup, zone: string | null) {
  const { id, resource_id, resource_type, project_id, copies, assignment_id } = backup;
  const others = backup.is_full ? [] : await readAll(records, "backup", { assignment_id });
  const parent = copies.length > 0 ? undefined : findParent(backup, others, clock.now());
  const job: BackupJob = {
    backup_id: copies.length === 0 ? id : `${id}-${copies.length + 1}`,
    ...{ resource_id, resource_type, is_full: parent === undefined },
    ...(project_id === null ? {} : { project_id }),
    ...(parent?.copies[0] === undefined ? {} : { parent: parent.copies[0].snapshot }),
    ...(zone === null ? {} : { zone }),
  };
  return { job, parent_id: copies.length > 0 ? backup.parent_id : (parent?.id ?? null) };
}

async function noteFailure(
  { records, notify }: Works,
  id: string,
  fail: (present: StoredBackup) => StoredBackup,
): Promise<void> {
  const failed = await moveBackup(records, id, fail);
  if (failed?.state !== "failed") return;
  const text = `The backup of ${failed.resource_type} ${failed.resource_id} failed: ${failed.message}`;
  await notify({ type: "backup_failed", subject: id, text, place: failed });
}

/**
 * Renews the lease while the backup is made; one that was canceled is stopped. One that somebody else has taken over is not: to stop a
 * driver is to have it remove what it has begun, which is what the other one waits for.
 */
function keepLease({ records, clock, underway }: Works, id: string, maker: string): () => void {
  const aborter = createAborter();
  underway.set(id, aborter);
  let stopTimer = () => {};
  let isOver = false;
  const look = async () => {
    if (await moveBackup(records, id, (present) => renew(present, maker, clock.now()))) return wait();
    const state = (await records.get("backup", id))?.record.state;
    if (state === "queued" || state === "running") return wait();
    aborter.abort(new GatewayError("request_cancelled", "The backup was canceled."));
  };
  const wait = () => {
    if (isOver) return;
    stopTimer = clock.after(leaseMs / 3, () => {
      look().catch(wait); // a store that cannot be written now may be later; the lease says the rest
    });
  };
  wait();
  return () => {
    isOver = true;
    stopTimer();
    if (underway.get(id) === aborter) underway.delete(id);
  };
}
