import { warn } from "../../../engine/runtime/notify.ts";
import type { StoredBackup } from "../../../operations/records/backups.ts";
import { languageOf, textsAt } from "../../i18n/reader.ts";
import { renderText } from "../../locales/render.ts";
import { toScope } from "../../tenancy/tenant-scope.ts";
import type { BackupPlanPolicy } from "../planning/policy.ts";
import type { BackupDeps } from "./backup-deps.ts";

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
export async function mailFailure(
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
