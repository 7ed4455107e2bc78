import type { Clock } from "../../../engine/ports/clock.ts";
import type { MailSender } from "../../../engine/ports/messages/senders.ts";
import type { Records } from "../../../engine/ports/records.ts";
import type { Aborter } from "../../../engine/runtime/abortable.ts";
import type { Notify } from "../../notify.ts";
import type { Regions } from "../../regions.ts";
import type { Policies } from "../planning/policy.ts";

/** The dependencies of backup runs. */
export interface BackupDeps {
  /** The records of all tenants. */
  readonly records: Records;
  readonly regions: Regions;
  /** The policies of the configuration; in a tick of the scheduler, those of the portal too. */
  readonly policies: Policies;
  readonly clock: Clock;
  readonly notify: Notify;
  /** Sends failures to the `notification_email` of policies; absent where no mails are sent. */
  readonly mails?: MailSender | undefined;
  newId(prefix: string): string;
  /** The backups that this process is making, by id, with the signal that stops each. */
  readonly running: Map<string, Aborter>;
  /** Triggers a tick of the scheduler soon, in a process that runs it. */
  wake(): void;
}
