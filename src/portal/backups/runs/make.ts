import { GatewayError, toGatewayError } from "../../../engine/errors.ts";
import { createAborter } from "../../../engine/runtime/abortable.ts";
import { warn } from "../../../engine/runtime/notify.ts";
import type { StoredBackup } from "../../../operations/records/backups.ts";
import type { BackupDriver, BackupJob } from "../../backup-driver.ts";
import { languageOf, textsAt } from "../../i18n/reader.ts";
import { renderText } from "../../locales/render.ts";
import { readAll } from "../../tenancy/record-access.ts";
import { toScope } from "../../tenancy/tenant-scope.ts";
import { moveBackup } from "../move.ts";
import { findParent, nextCopy } from "../planning/plan.ts";
import type { BackupPlanPolicy } from "../planning/policy.ts";
import { addCopy, expectMaker, failOnce, leaseMs, renew, start, succeed } from "../planning/state.ts";
import type { BackupDeps } from "./backup-deps.ts";
import { keepRenewing } from "./keep-renewing.ts";

/** A backup that this process makes. */
interface RunningBackup {
  readonly deps: BackupDeps;
  readonly driver: BackupDriver;
  readonly policy: BackupPlanPolicy;
  readonly maker: string;
}

/**
 * Makes a queued backup with all its copies, unless another process was faster. Retries as the policy says, and notifies of a final
 * failure.
 */
export async function makeBackup(deps: BackupDeps, id: string): Promise<void> {
  const { records, regions, policies, clock } = deps;
  const maker = deps.newId("mkr");
  const begun = await moveBackup(records, id, (present) => start(present, maker, clock.now()));
  if (begun === undefined) return;
  const policy = policies.get(begun.policy_id);
  const driver = regions[begun.region]?.backups;
  const stopRenewing = keepLease(deps, id, maker);
  try {
    if (!policy || !driver)
      throw new GatewayError("not_implemented", "The backup's policy or back end no longer exists.");
    await makeCopies({ deps, driver, policy, maker }, begun);
  } catch (thrown) {
    const { retry = 0, backup_window: window = 24, timezone = "UTC" } = policy ?? {};
    await noteFailure(deps, { backup: begun, thrown, policy }, (present, message) => {
      return failOnce(expectMaker(present, maker), { message, retry, window, timezone, now: clock.now() });
    });
  } finally {
    stopRenewing();
  }
}

async function makeCopies({ deps, driver, policy, maker }: RunningBackup, begun: StoredBackup): Promise<void> {
  const { records, clock, running } = deps;
  const signal = running.get(begun.id) ?? createAborter();
  let backup: StoredBackup | undefined = begun;
  for (let copy = nextCopy(begun, policy, clock.now()); copy && backup; copy = nextCopy(backup, policy, clock.now())) {
    const { zone, expires_at } = copy;
    const { job, parent_id, pending_parent } = await jobOf(deps, backup, zone);
    if (parent_id !== backup.parent_id || pending_parent !== (backup.pending_parent ?? null)) {
      // records the parent before the copy is made: from here on no process removes the parent
      const by = (present: StoredBackup) => ({ ...expectMaker(present, maker), parent_id, pending_parent });
      backup = await moveBackup(records, begun.id, by);
      if (backup === undefined) return;
    }
    const created = await driver.create(job, { signal, now: clock.now() });
    const { snapshot, is_full } = created;
    const storedCopy = {
      zone,
      expires_at,
      snapshot,
      is_removed: false,
      is_full,
      parent: is_full ? null : pending_parent,
    };
    backup = await moveBackup(records, begun.id, (present) => addCopy(present, maker, { created, copy: storedCopy }));
    if (backup === undefined) return dropUnwanted({ deps, driver }, begun.id, created.snapshot);
  }
  await moveBackup(records, begun.id, (present) => succeed(present, maker, clock.now()));
}

/**
 * Removes the result of a backup that this process has lost, unless it is still wanted: another process is making the same backup, which
 * the driver takes for this one, or has recorded it.
 */
async function dropUnwanted(
  { deps: { records, clock }, driver }: Pick<RunningBackup, "deps" | "driver">,
  id: string,
  snapshot: string,
): Promise<void> {
  const present = (await records.get("backup", id))?.record;
  if (present?.state === "queued" || present?.state === "running") return;
  if (present?.copies.some((copy) => copy.snapshot === snapshot)) return;
  await driver.remove(snapshot, { signal: createAborter(), now: clock.now() });
}

/** Returns the driver's job. A copy without a parent in its own zone is a full one. */
async function jobOf({ records, clock }: BackupDeps, backup: StoredBackup, zone: string | null) {
  const { id, resource_id, resource_type, project_id, copies, assignment_id } = backup;
  const others = backup.is_full ? [] : await readAll(records, "backup", { assignment_id });
  const parent = findParent(backup, others, { zone, now: clock.now() });
  const job: BackupJob = {
    backup_id: copies.length === 0 ? id : `${id}-${copies.length + 1}`,
    ...{ resource_id, resource_type, is_full: parent === undefined },
    ...(project_id === null ? {} : { project_id }),
    ...(parent === undefined ? {} : { parent: parent.snapshot }),
    ...(zone === null ? {} : { zone }),
  };
  const parent_id = copies.length > 0 ? backup.parent_id : (parent?.id ?? null);
  return { job, parent_id, pending_parent: parent?.snapshot ?? null };
}

/**
 * Renews the lease while the backup is made, and stops a canceled one. Does not stop one that another process has taken over: a stopped
 * driver removes what it has begun, which the other process waits for.
 */
function keepLease({ records, clock, running }: BackupDeps, id: string, maker: string): () => void {
  const aborter = createAborter();
  running.set(id, aborter);
  const stop = keepRenewing(clock, leaseMs / 3, async () => {
    if (await moveBackup(records, id, (present) => renew(present, maker, clock.now()))) return true;
    const state = (await records.get("backup", id))?.record.state;
    if (state === "queued" || state === "running") return true;
    aborter.abort(new GatewayError("request_cancelled", "The backup was canceled."));
    return false;
  });
  return () => {
    stop();
    if (running.get(id) === aborter) running.delete(id);
  };
}

/** A failed attempt to make a backup. */
interface BackupFailure {
  readonly backup: StoredBackup;
  readonly thrown: unknown;
  /** Undefined for a backup whose policy no longer exists. */
  readonly policy: BackupPlanPolicy | undefined;
}

/** Records a failed attempt with its cause, also in the log, and notifies of the last one, by mail too where the policy has an address. */
async function noteFailure(
  { records, notify, mails }: Pick<BackupDeps, "records" | "notify" | "mails">,
  { backup: { id, resource_type, resource_id }, thrown, policy }: BackupFailure,
  fail: (present: StoredBackup, message: string) => StoredBackup,
): Promise<void> {
  const { message } = toGatewayError(thrown);
  const text = `The backup of ${resource_type} ${resource_id} failed: ${message}`;
  warn(new Error(`${text} (${id})`, { cause: thrown }));
  const failed = await moveBackup(records, id, (present) => fail(present, message));
  if (failed?.state !== "failed") return;
  await notify({
    ...{ type: "backup_failed", subject: id, link: `/backup/${id}`, scope: failed },
    ...{ key: "notice.backup_failed", params: { resource_type, resource_id, message } },
  });
  await mailFailure({ records, mails }, { failed, policy, message });
}

/** A backup that failed for good. */
interface FailedBackup {
  readonly failed: StoredBackup;
  readonly policy: BackupPlanPolicy | undefined;
  readonly message: string;
}

/**
 * Mails the failure to the `notification_email` of the backup's policy, in the language of the backup's tenant. A mail that cannot be
 * sent is a warning in the log: the notification of the portal says the same.
 */
async function mailFailure(
  { records, mails }: Pick<BackupDeps, "records" | "mails">,
  { failed, policy, message }: FailedBackup,
): Promise<void> {
  const to = policy?.notification_email;
  if (!mails || to === undefined) return;
  const { resource_type, resource_id } = failed;
  try {
    const scope = toScope({ ...failed, user_id: null });
    const lang = await languageOf(records, { caller: { user: { id: "", username: "" }, scope } });
    const texts = await textsAt(records, lang, scope);
    const write = (key: string) => renderText(texts.get(key) ?? key, { resource_type, resource_id, message }, texts);
    const subject = `${write("notification.backup_failed")}: ${resource_id}`.replace(/[\r\n]+/g, " ").slice(0, 200);
    await mails.send({ to: [to], subject, text: `${write("notice.backup_failed")}\n` });
  } catch (thrown) {
    warn(new Error(`The failure of the backup ${failed.id} could not be mailed.`, { cause: thrown }));
  }
}
