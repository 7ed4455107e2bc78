import { createAborter } from "../../abortable.ts";
import type { StoredBackup } from "../../api/portal/backups.ts";
import { GatewayError, toGatewayError } from "../../errors.ts";
import type { BackupDriver, BackupJob } from "../backup-driver.ts";
import { readAll } from "../shelf.ts";
import { moveBackup } from "./move.ts";
import { findParent, nextCopy } from "./plan.ts";
import type { Policy } from "./policy.ts";
import { addCopy, failOnce, leaseMs, renew, start, succeed } from "./state.ts";
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
    await noteFailure(works, begun, { message: toGatewayError(thrown).message, retry: policy?.retry ?? 0 });
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
    const made = await driver.create(job, { signal, now: clock.now() });
    const kept = { zone, expires_at, snapshot: made.snapshot, is_removed: false };
    backup = await moveBackup(records, backup.id, (present) => ({
      ...addCopy(present, maker, { made, copy: kept }),
      parent_id,
    }));
    if (backup === undefined) return driver.remove(made.snapshot, { signal: createAborter(), now: clock.now() });
  }
  await moveBackup(records, begun.id, (present) => succeed(present, maker, clock.now()));
}

/** What the driver is asked for; a backup that has nothing to build on is a full one. A second copy builds on nothing. */
async function jobOf({ records }: Works, backup: StoredBackup, zone: string | null) {
  const { id, resource_id, resource_type, project_id, copies, assignment_id } = backup;
  const others = backup.is_full ? [] : await readAll(records, "backup", { assignment_id });
  const parent = copies.length > 0 ? undefined : findParent(backup, others);
  const job: BackupJob = {
    backup_id: copies.length === 0 ? id : `${id}-${copies.length + 1}`,
    ...{ resource_id, resource_type, is_full: parent === undefined },
    ...(project_id === null ? {} : { project_id }),
    ...(parent?.copies[0] === undefined ? {} : { parent: parent.copies[0].snapshot }),
    ...(zone === null ? {} : { zone }),
  };
  return { job, parent_id: parent?.id ?? backup.parent_id };
}

async function noteFailure(
  { records, clock, notify }: Works,
  { id }: StoredBackup,
  { message, retry }: { readonly message: string; readonly retry: number },
): Promise<void> {
  const failed = await moveBackup(records, id, (present) => failOnce(present, { message, retry, now: clock.now() }));
  if (failed?.state !== "failed") return;
  const text = `The backup of ${failed.resource_type} ${failed.resource_id} failed: ${message}`;
  await notify({ type: "backup_failed", subject: id, text, place: failed });
}

/** Renews the lease while the backup is made; a backup that was canceled, or taken over, is stopped. */
function keepLease({ records, clock, underway }: Works, id: string, maker: string): () => void {
  const aborter = createAborter();
  underway.set(id, aborter);
  let stopTimer = () => {};
  const wait = () => {
    stopTimer = clock.after(leaseMs / 3, () => {
      moveBackup(records, id, (present) => renew(present, maker, clock.now())).then(
        (renewed) =>
          renewed ? wait() : aborter.abort(new GatewayError("request_cancelled", "The backup was canceled.")),
        wait, // a store that cannot be written now may be later; the lease says the rest
      );
    });
  };
  wait();
  return () => {
    stopTimer();
    if (underway.get(id) === aborter) underway.delete(id);
  };
}
