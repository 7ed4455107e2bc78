import { toGatewayError } from "../../../engine/errors.ts";
import { warn } from "../../../engine/runtime/notify.ts";
import type { StoredBackup } from "../../../operations/records/backups.ts";
import { moveBackup } from "../move.ts";
import type { BackupPlanPolicy } from "../planning/policy.ts";
import type { BackupDeps } from "./backup-deps.ts";
import { mailFailure } from "./mail-failure.ts";

/** A failed attempt to make a backup. */
interface BackupFailure {
  readonly backup: StoredBackup;
  readonly thrown: unknown;
  /** Undefined for a backup whose policy no longer exists. */
  readonly policy: BackupPlanPolicy | undefined;
}

/** Records a failed attempt with its cause, also in the log, and notifies of the last one, by mail too where the policy has an address. */
export async function noteFailure(
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
